/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.evenkey.client.internal.guard.GuardQuestion;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.protocol.guard.GuardClasses;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code evenkey server} on servers with the guard, and on servers without it. */
@ExtendWith(EmbeddedHBaseExtension.class)
class ServerCommandIT {
  private static final String LAYOUT = "salt(4) + id:string";
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path directory;

  private static void create(EmbeddedHBase hbase, String table) {
    Run.on(hbase, "plan", table, "--layout", LAYOUT, "--regions", "4", "--families", "d").done();
    Run.on(hbase, "create", table).done();
  }

  private static JsonNode table(JsonNode status, String name) {
    for (JsonNode table : status.get("tables")) {
      if (table.get("table").asText().equals(name)) {
        return table;
      }
    }
    throw new AssertionError("no " + name + " in " + status);
  }

  @Test
  void statusShowsServersAndTables(EmbeddedHBase hbase) throws Exception {
    create(hbase, "guarded");
    // Servers report every second.
    JsonNode status =
        await()
            .atMost(PATIENCE)
            .until(
                () -> Run.on(hbase, "server", "status", "--json").done().json(),
                json ->
                    json.get("complete").asBoolean()
                        && json.get("servers").findValues("guard").stream()
                            .anyMatch(JsonNode::asBoolean));
    assertThat(status.get("servers")).hasSize(hbase.servers().size());
    assertThat(status.get("master").get("guard").asBoolean()).isTrue();
    assertThat(status.get("master").get("server").asText()).startsWith("localhost,");
    JsonNode table = table(status, "guarded");
    assertThat(table.get("guard").asBoolean()).isTrue();
    assertThat(table.get("attribute").asBoolean()).isFalse();
    assertThat(table.get("mode").asText()).isEqualTo("open");
    assertThat(table.get("layout").asText()).isEqualTo(LAYOUT);
    assertThat(table.get("version").asText()).isNotEqualTo("null");
    assertThat(hbase.servers().toString()).contains(table.get("server").asText());
    assertThat(Run.on(hbase, "server", "status").done().out())
        .contains("SERVER", "master", "guarded", "yes", LAYOUT, "complete: ");
  }

  @Test
  void installPrintsTheSettingsOfMasterAndRegionServers() throws Exception {
    Run install = Run.of("server", "install").done();
    assertThat(install.out())
        .contains(
            "<name>hbase.coprocessor.user.region.classes</name>",
            "<value>io.evenkey.server.guard.LayoutGuard</value>",
            "<name>hbase.coprocessor.master.classes</name>",
            "<value>io.evenkey.server.guard.DescriptorGuard</value>",
            "-all.jar",
            "no permission in HBase");
    JsonNode json = Run.of("server", "install", "--json").done().json();
    assertThat(json.get("settings").get("hbase.coprocessor.master.classes").asText())
        .isEqualTo(GuardClasses.MASTER);
    assertThat(Run.of("server", "remove").done().out())
        .contains("Remove these classes", GuardClasses.REGION, "no permission in HBase");
    assertThat(Run.of("server", "remove", "--json").done().json().get("settings")).hasSize(2);
  }

  @Test
  void namesOfCoprocessorsAreThoseOfTheirClasses() throws Exception {
    for (String name : List.of(GuardClasses.REGION, GuardClasses.MASTER)) {
      assertThat(Class.forName(name).getName()).isEqualTo(name);
    }
  }

  @Test
  void invalidArgumentsAreRefused() {
    for (String[] wrong :
        new String[][] {
          {"server"},
          {"server", "install", "--table", "t"},
          {"server", "install", "--jar", "x.jar"},
          {"server", "remove", "--table", "a b"}
        }) {
      assertThat(Run.of(wrong).exit()).as(String.join(" ", wrong)).isEqualTo(2);
    }
    for (String command : List.of("status", "install", "remove")) {
      assertThat(Run.of("server", command, "--help").out()).contains("Example", "needs");
    }
  }

  @Tag("long")
  @Test
  void theGuardIsAddedToATableAndRemovedFromIt() throws Exception {
    try (EmbeddedHBase hbase =
        EmbeddedHBase.in(directory.resolve("unguarded")).servers(1).guard(false).start()) {
      create(hbase, "orders");
      JsonNode before = Run.on(hbase, "server", "status", "--json").done().json();
      assertThat(before.get("complete").asBoolean()).isFalse();
      assertThat(before.get("master").get("guard").asBoolean()).isFalse();
      assertThat(table(before, "orders").get("guard").asBoolean()).isFalse();
      assertThat(Run.on(hbase, "server", "status").done().out())
          .contains("no", "incomplete: ", "evenkey server install");

      String jar = guard(directory.resolve("guard.jar")).toUri().toString();
      for (int i = 0; i < 2; i++) {
        JsonNode added =
            Run.on(hbase, "server", "install", "--table", "orders", "--jar", jar, "--json")
                .done()
                .json();
        assertThat(added.get("table").asText()).isEqualTo("orders");
      }
      JsonNode after = Run.on(hbase, "server", "status", "--json").done().json();
      assertThat(table(after, "orders").get("guard").asBoolean()).isTrue();
      assertThat(table(after, "orders").get("attribute").asBoolean()).isTrue();

      refuseRemovalDuringAMigration(hbase);
      assertThat(Run.on(hbase, "server", "remove", "--table", "orders").done().out())
          .contains("guard removed: table=orders");
      assertThat(GuardQuestion.ask(hbase.connection(), TableName.valueOf("orders"))).isEmpty();
      assertThat(
              Run.on(hbase, "server", "remove", "--table", "orders", "--json")
                  .done()
                  .json()
                  .get("removed")
                  .asBoolean())
          .isFalse();
    }
  }

  private static void refuseRemovalDuringAMigration(EmbeddedHBase hbase) throws IOException {
    TableName orders = TableName.valueOf("orders");
    for (GuardMode mode : new GuardMode[] {GuardMode.TRACKED, GuardMode.OPEN}) {
      try (Admin admin = hbase.connection().getAdmin()) {
        admin.modifyTable(
            TableDescriptorBuilder.newBuilder(admin.getDescriptor(orders))
                .setValue(GuardState.DESCRIPTOR_KEY, new GuardState(1, mode, 1, 1, "").toString())
                .build());
      }
      if (mode == GuardMode.TRACKED) {
        Run refused = Run.on(hbase, "server", "remove", "--table", "orders");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err())
            .contains("a migration needs the guard: table=orders", "mode=tracked");
      }
    }
  }

  /** A jar with only the classes of the guard; the servers have its dependencies. */
  private static Path guard(Path jar) throws IOException, ClassNotFoundException {
    Class<?> guard = Class.forName(GuardClasses.REGION);
    Path from;
    try {
      from = Path.of(guard.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (java.net.URISyntaxException e) {
      throw new IOException(e);
    }
    if (Files.isRegularFile(from)) {
      return Files.copy(from, jar);
    }
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file);
        var classes = Files.walk(from)) {
      for (Path path : (Iterable<Path>) classes.filter(Files::isRegularFile)::iterator) {
        out.putNextEntry(new JarEntry(from.relativize(path).toString()));
        try (InputStream in = Files.newInputStream(path)) {
          in.transferTo(out);
        }
      }
    }
    return jar;
  }
}
