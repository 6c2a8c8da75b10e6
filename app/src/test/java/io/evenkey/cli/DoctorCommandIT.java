/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.guard.GuardClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code evenkey doctor} on a sound HBase, and with each fault by itself. */
class DoctorCommandIT {
  private static final String LAYOUT = "salt(4) + id:string";
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final byte[] FAMILY = Bytes.toBytes("d");

  @TempDir private static Path directory;
  private static EmbeddedHBase hbase;

  @BeforeAll
  static void start() throws IOException {
    // Coprocessors of tables are not allowed: a guard that a table names is not loaded.
    hbase =
        EmbeddedHBase.in(directory.resolve("hbase"))
            .servers(2)
            .guard(false)
            .settings(Map.of("hbase.coprocessor.user.enabled", "false"))
            .start();
    create("sound", LAYOUT);
    try (SpreadTables tables = SpreadTables.on(hbase.connection())) {
      SpreadTable sound = tables.open(TableName.valueOf("sound"));
      for (String id : List.of("a", "b", "c")) {
        sound.put(new Put(Bytes.toBytes(id)).addColumn(FAMILY, FAMILY, FAMILY));
      }
    }
  }

  @AfterAll
  static void stop() throws IOException {
    if (hbase != null) {
      hbase.close();
    }
  }

  private static void create(String table, String layout) {
    Run.on(hbase, "plan", table, "--layout", layout, "--regions", "4", "--families", "d").done();
    Run.on(hbase, "create", table).done();
  }

  private static void drop(String table) throws IOException {
    TableName name = TableName.valueOf(table);
    try (Admin admin = hbase.connection().getAdmin();
        Registry registry = Registry.open(hbase.configuration())) {
      admin.disableTable(name);
      admin.deleteTable(name);
      registry.layouts().forget(name);
    }
  }

  private static JsonNode check(JsonNode document, String name) {
    for (JsonNode check : document.get("checks")) {
      if (check.get("check").asText().equals(name)) {
        return check;
      }
    }
    throw new AssertionError("no " + name + " in " + document);
  }

  /**
   * The findings of a check, each as text and remedy; the run ends with the exit code it should.
   */
  private static List<String> findings(String check, int exit, String... arguments)
      throws IOException {
    String[] all = new String[arguments.length + 2];
    all[0] = "doctor";
    all[1] = "--json";
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    Run run = Run.on(hbase, all);
    assertThat(run.exit()).as(run.out() + run.err()).isEqualTo(exit);
    assertThat(run.json().get("healthy").asBoolean()).isEqualTo(exit == 0);
    return check(run.json(), check).get("findings").findValuesAsText("text");
  }

  @Test
  void aSoundClusterHasNoProblem() throws Exception {
    Run text = Run.on(hbase, "doctor", "--seconds", "0").done();
    assertThat(text.out())
        .contains(
            "ok       settings",
            "ok       registry",
            "ok       layouts",
            "not checked: --seconds 0");
    JsonNode json = Run.on(hbase, "doctor", "--seconds", "0", "--json").done().json();
    assertThat(json.get("healthy").asBoolean()).isTrue();
    for (String check :
        List.of(
            "settings",
            "registry",
            "hbase",
            "versions",
            "servers",
            "rights",
            "layouts",
            "replication",
            "buckets")) {
      assertThat(check(json, check).get("state").asText()).as(check).isEqualTo("ok");
    }
    assertThat(check(json, "guard").get("state").asText()).isEqualTo("advice");
    assertThat(check(json, "load").get("state").asText()).isEqualTo("skipped");
  }

  @Test
  void aLayoutThatTheRegistryContradictsIsFound() throws Exception {
    create("disputed", LAYOUT);
    try (Registry registry = Registry.open(hbase.configuration())) {
      registry.layouts().record(TableName.valueOf("disputed"), "salt(8) + id:string");
      registry.layouts().record(TableName.valueOf("gone"), LAYOUT);
    }
    try {
      assertThat(findings("layouts", 1, "--seconds", "0"))
          .anySatisfy(
              found ->
                  assertThat(found)
                      .contains("table=disputed descriptor=" + LAYOUT + " registry=salt(8)"))
          .anySatisfy(found -> assertThat(found).contains("table=gone"));
    } finally {
      drop("disputed");
      try (Registry registry = Registry.open(hbase.configuration())) {
        registry.layouts().forget(TableName.valueOf("gone"));
      }
    }
  }

  @Test
  void rowsOfAnotherClientAreFound() throws Exception {
    create("mixed", LAYOUT);
    try (Table table = hbase.connection().getTable(TableName.valueOf("mixed"))) {
      for (int i = 0; i < 20; i++) {
        table.put(new Put(Bytes.toBytes("row" + i)).addColumn(FAMILY, FAMILY, FAMILY));
      }
    }
    try {
      assertThat(findings("layouts", 1, "--seconds", "0"))
          .singleElement()
          .satisfies(found -> assertThat(found).contains("table=mixed", "foreign=20"));
    } finally {
      drop("mixed");
    }
  }

  @Tag("long")
  @Test
  void aPeerWithAnotherLayoutIsFound() throws Exception {
    TableName name = TableName.valueOf("replicated");
    create("replicated", LAYOUT);
    try (EmbeddedHBase other = EmbeddedHBase.temporary().servers(1).start();
        Admin admin = hbase.connection().getAdmin();
        Admin there = other.connection().getAdmin()) {
      admin.modifyColumnFamily(
          name,
          ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
              .setScope(HConstants.REPLICATION_SCOPE_GLOBAL)
              .build());
      String port = other.configuration().get(HConstants.ZOOKEEPER_CLIENT_PORT);
      admin.addReplicationPeer(
          "east",
          ReplicationPeerConfig.newBuilder()
              .setClusterKey("127.0.0.1:" + port + ":/hbase")
              .build());
      try {
        assertThat(findings("replication", 1, "--seconds", "0"))
            .containsExactly("replicated table is missing at a peer: table=replicated peer=east");
        Run.on(other, "plan", "replicated", "--layout", "salt(8) + id:string", "--families", "d")
            .done();
        Run.on(other, "create", "replicated").done();
        assertThat(findings("replication", 1, "--seconds", "0"))
            .containsExactly(
                "table is replicated under another layout: table=replicated peer=east layout="
                    + LAYOUT
                    + " peer_layout=salt(8) + id:string");
        there.disableTable(name);
        there.deleteTable(name);
        there.createTable(admin.getDescriptor(name));
        assertThat(findings("replication", 0, "--seconds", "0")).isEmpty();
      } finally {
        admin.removeReplicationPeer("east");
      }
    } finally {
      drop("replicated");
    }
  }

  @Test
  void bucketsThatServersCannotShareAreFound() throws Exception {
    create("uneven", "salt(5) + id:string");
    try {
      assertThat(findings("buckets", 0, "--seconds", "0"))
          .containsExactly(
              "buckets are no multiple of the region servers: table=uneven buckets=5 servers=2"
                  + " skew=1.20");
    } finally {
      drop("uneven");
    }
  }

  @Test
  void aGuardThatServersMayNotLoadIsFound() throws Exception {
    create("attributed", LAYOUT);
    TableName name = TableName.valueOf("attributed");
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
              .setCoprocessor(CoprocessorDescriptorBuilder.of(GuardClasses.REGION))
              .build());
    }
    try {
      assertThat(findings("guard", 1, "--seconds", "0"))
          .containsExactly("guard of a table is not loaded: table=attributed");
    } finally {
      drop("attributed");
    }
  }

  @Test
  void aHotRegionIsFound() throws Exception {
    create("hot", LAYOUT);
    AtomicBoolean stop = new AtomicBoolean();
    CompletableFuture<Void> writing =
        CompletableFuture.runAsync(
            () -> {
              try (Table table = hbase.connection().getTable(TableName.valueOf("hot"))) {
                Put hot = new Put(rowOfSecondBucket()).addColumn(FAMILY, FAMILY, FAMILY);
                while (!stop.get()) {
                  table.put(hot);
                }
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    try {
      // A reading may be before the region's first report.
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(findings("load", 1, "--seconds", "3"))
                      .singleElement()
                      .satisfies(
                          found ->
                              assertThat(found).contains("table=hot load=hot-region", "100 %")));
    } finally {
      stop.set(true);
      writing.join();
      drop("hot");
    }
  }

  /** As stored. The last bucket would look as if keys grew. */
  private static byte[] rowOfSecondBucket() {
    Layout layout = Layout.parse(LAYOUT);
    for (int i = 0; ; i++) {
      byte[] row = layout.physical(Bytes.toBytes("id" + i));
      if (row[0] == 1) {
        return row;
      }
    }
  }

  @Test
  void settingsAreThoseThatAnApplicationReads() throws Exception {
    assertThat(
            findings(
                "settings",
                0,
                "--seconds",
                "0",
                "-D",
                "hbase.client.connection.impl=io.evenkey.client.EvenkeyConnection",
                "-D",
                "evenkey.scan.budget=1"))
        .hasSize(2)
        .anySatisfy(found -> assertThat(found).contains("blocking=evenkey asynchronous=hbase"))
        .anySatisfy(found -> assertThat(found).contains("name=evenkey.scan.budget"));
  }

  @Test
  void whatDoesNotAnswerIsFoundAndTheRestIsSkipped() throws Exception {
    Path nowhere = Files.createDirectories(directory.resolve("nowhere"));
    Files.writeString(
        nowhere.resolve("hbase-site.xml"),
        """
        <configuration>
          <property><name>hbase.zookeeper.quorum</name><value>127.0.0.1:1</value></property>
          <property><name>evenkey.zookeeper.timeout.ms</name><value>500</value></property>
        </configuration>
        """);
    Run silent = Run.of("doctor", "--json", "--conf", nowhere.toString());
    assertThat(silent.exit()).isEqualTo(1);
    JsonNode registry = check(silent.json(), "registry");
    assertThat(registry.get("state").asText()).isEqualTo("problem");
    assertThat(registry.findValuesAsText("text").toString()).contains("ZooKeeper does not answer");
    assertThat(registry.findValuesAsText("remedy").toString()).contains("start it");
    for (String check : List.of("hbase", "versions", "layouts", "load")) {
      assertThat(check(silent.json(), check).get("state").asText()).isEqualTo("skipped");
    }

    Run elsewhere =
        Run.on(
            hbase,
            "doctor",
            "--json",
            "-D",
            "zookeeper.znode.parent=/elsewhere",
            "-D",
            "hbase.client.retries.number=1",
            "-D",
            "zookeeper.recovery.retry=0");
    assertThat(elsewhere.exit()).isEqualTo(1);
    assertThat(check(elsewhere.json(), "registry").get("state").asText()).isEqualTo("ok");
    assertThat(check(elsewhere.json(), "hbase").get("state").asText()).isEqualTo("problem");
    assertThat(check(elsewhere.json(), "layouts").get("skipped").asText()).isEqualTo("no HBase");
  }

  @Test
  void argumentsOutOfRangeAreRefused() {
    assertThat(Run.of("doctor", "--seconds", "-1").exit()).isEqualTo(2);
    assertThat(Run.of("doctor", "--help").out()).contains("Exit code 1", "Rights");
  }
}
