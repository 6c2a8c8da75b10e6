/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.layout.Layout;
import io.evenkey.portal.Portal;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * Each command succeeds with the permissions in its help, and is refused without any one of them.
 */
@Tag("long")
class RightsOfCommandsIT {
  private static final String LAYOUT = "salt(2) + id:string";
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final AtomicInteger COUNT = new AtomicInteger();

  @TempDir private static Path directory;
  private static EmbeddedHBase hbase;

  /**
   * One use of a command.
   *
   * @param arguments where TABLE, OTHER, OWN, PLAIN, GROWN and NEW stand for tables, and RECORDS,
   *     QUERIES, FILE and DIR for paths; _ is a space
   * @param rights the necessary permissions: {@code R} on the first table, {@code own:W} on the
   *     table OWN, {@code ns:C} on their namespace, {@code default:C} on that of HBase
   */
  private record Use(String arguments, List<String> rights) {
    static Use of(String arguments, String... rights) {
      return new Use(arguments, List.of(rights));
    }

    @Override
    public String toString() {
      return arguments + " with " + String.join(" ", rights);
    }
  }

  static Stream<Use> uses() {
    return Stream.of(
        Use.of("get TABLE id=x", "R"),
        Use.of("scan TABLE", "R"),
        Use.of("count TABLE", "R"),
        Use.of("export TABLE --out FILE", "R"),
        Use.of("put OWN id=a d:v=1", "W"),
        Use.of("import OWN --csv RECORDS --family d --checkpoint FILE", "W"),
        Use.of("import OWN --csv RECORDS --checkpoint FILE", "W", "C"),
        Use.of("import OWN --csv RECORDS --bulk --work DIR -D fs.permissions.umask-mode=000", "C"),
        Use.of("verify TABLE", "R", "C"),
        Use.of("verify TABLE", "R", "A"),
        Use.of("verify TABLE --trust registry", "R", "C"),
        Use.of("verify TABLE --against OTHER --checkpoint FILE", "R", "other:R"),
        Use.of("verify TABLE --against OWN --repair --checkpoint FILE", "R", "own:R", "own:W"),
        Use.of("adopt PLAIN", "R", "C"),
        Use.of("adopt PLAIN --layout key:bytes --record", "R", "C"),
        Use.of("plan NEW --layout " + LAYOUT.replace(" ", "_")),
        Use.of("create NEW", "ns:C"),
        Use.of("heat --once"),
        Use.of("heat TABLE --once"),
        Use.of("heat TABLE --hot-keys 1/128", "R", "C"),
        Use.of("heat TABLE --hot-keys off", "R", "A"),
        Use.of("server status"),
        Use.of("doctor --seconds 0"),
        Use.of("server remove --table TABLE", "C"),
        Use.of("advise --table TABLE --sample 1 --queries QUERIES", "R"),
        Use.of("index add OWN byv salt(2)_+_v:string --from v=d:v", "R", "A", "ns:C"),
        Use.of("index list TABLE", "C"),
        Use.of("regions TABLE", "C"),
        Use.of("regions TABLE", "A"),
        Use.of("regions GROWN --tidy --yes", "R", "A"),
        Use.of(
            "migrate OWN --yes --layout salt(3)_+_id:string --by puts --finish --work DIR",
            "A",
            "R",
            "ns:C"));
  }

  @BeforeAll
  static void start() throws IOException {
    hbase = EmbeddedHBase.in(directory.resolve("rights")).servers(1).accessControl(true).start();
    Files.writeString(directory.resolve("RECORDS"), "id,v\na,1\nb,2\n");
    Files.writeString(directory.resolve("QUERIES"), "id = ?\n");
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.createNamespace(NamespaceDescriptor.create("rights").build());
    }
    create("rights:table");
    create("rights:other");
  }

  @AfterAll
  static void stop() throws IOException {
    if (hbase != null) {
      hbase.close();
    }
  }

  private static void plan(String table) {
    Run.on(hbase, "plan", table, "--layout", LAYOUT, "--families", "d").done();
  }

  private static void create(String table) throws IOException {
    plan(table);
    Run.on(hbase, "create", table).done();
    TableName name = TableName.valueOf(table);
    byte[] column = Bytes.toBytes("d");
    try (SpreadTables tables = SpreadTables.on(hbase.connection())) {
      tables.open(name).put(new Put(Bytes.toBytes("x")).addColumn(column, column, 1, column));
    }
  }

  /** A use of a command by a separate user. */
  private static final class Trial {
    private final int number = COUNT.incrementAndGet();
    private final String user = "user" + number;
    private final Use use;
    private final Map<String, String> names = new HashMap<>();

    Trial(Use use) throws IOException {
      this.use = use;
      names.put("TABLE", "rights:table");
      names.put("OTHER", "rights:other");
      for (String own : List.of("NEW", "PLAIN", "OWN", "GROWN")) {
        if (use.arguments().contains(own)) {
          names.put(own, "rights:" + own.toLowerCase(Locale.ROOT) + number);
        }
      }
      if (names.containsKey("NEW")) {
        plan(names.get("NEW"));
      }
      if (names.containsKey("OWN")) {
        plan(names.get("OWN"));
        Run.on(hbase, "create", names.get("OWN")).done();
      }
      if (names.containsKey("PLAIN")) {
        createPlain(TableName.valueOf(names.get("PLAIN")));
      }
      if (names.containsKey("GROWN")) {
        createGrown(TableName.valueOf(names.get("GROWN")));
      }
    }

    /** A table of which an earlier step has left a region empty. */
    private static void createGrown(TableName name) throws IOException {
      Layout layout = Layout.parse("salt(2; 1 from at 2020-01-01) + at:timestamp");
      ColumnFamilyDescriptor family =
          ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("d")).setTimeToLive(1000).build();
      try (Admin admin = hbase.connection().getAdmin()) {
        admin.createTable(
            TableLayout.with(
                TableDescriptorBuilder.newBuilder(name).setColumnFamily(family).build(), layout),
            layout.splits(2).keys().toArray(new byte[0][]));
      }
    }

    private static void createPlain(TableName name) throws IOException {
      byte[] d = Bytes.toBytes("d");
      try (Admin admin = hbase.connection().getAdmin();
          Table table = hbase.connection().getTable(name)) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(d))
                .build());
        table.put(new Put(d).addColumn(d, d, d));
      }
    }

    void grant(List<String> rights) throws Exception {
      try {
        for (String right : rights) {
          Permission.Action action = action(right.charAt(right.length() - 1));
          if (right.startsWith("ns:") || right.startsWith("default:")) {
            String namespace = right.startsWith("ns:") ? "rights" : "default";
            AccessControlClient.grant(hbase.connection(), namespace, user, action);
            continue;
          }
          TableName name = TableName.valueOf(names.get(of(right)));
          AccessControlClient.grant(hbase.connection(), name, user, null, null, action);
        }
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }

    /** A permission without a prefix applies to the command's first table. */
    private String of(String right) {
      return right.length() > 1
          ? right.substring(0, right.indexOf(':')).toUpperCase(Locale.ROOT)
          : Stream.of(use.arguments().split(" ", -1))
              .filter(names::containsKey)
              .findFirst()
              .orElseThrow();
    }

    private static Permission.Action action(char letter) {
      return Stream.of(Permission.Action.values())
          .filter(action -> action.code() == letter)
          .findFirst()
          .orElseThrow();
    }

    Run run() {
      List<String> arguments = new ArrayList<>();
      for (String argument : use.arguments().split(" ", -1)) {
        arguments.add(
            switch (argument) {
              case "RECORDS", "QUERIES" -> directory.resolve(argument).toString();
              case "FILE", "DIR" -> directory.resolve("of" + COUNT.incrementAndGet()).toString();
              default -> names.getOrDefault(argument, argument.replace('_', ' '));
            });
      }
      return UserGroupInformation.createRemoteUser(user)
          .doAs((PrivilegedAction<Run>) () -> Run.on(hbase, arguments.toArray(new String[0])));
    }
  }

  @ParameterizedTest
  @MethodSource("uses")
  void rightsThatTheHelpSaysAreEnough(Use use) throws Exception {
    Trial trial = new Trial(use);
    trial.grant(use.rights());
    // A grant reaches the servers with a delay.
    Run[] last = new Run[1];
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              last[0] = trial.run();
              assertThat(last[0].err()).doesNotContain("access denied");
            });
    assertThat(last[0].exit()).as(last[0].err()).isZero();
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("uses")
  void commandWithoutOneOfItsRightsIsRefused(Use use) throws Exception {
    for (String right : use.rights()) {
      Trial trial = new Trial(use);
      trial.grant(use.rights().stream().filter(other -> !other.equals(right)).toList());
      Run run = trial.run();
      assertThat(run.exit()).as("without " + right + ": " + run).isNotZero();
      assertThat(run.err())
          .containsAnyOf("user=" + trial.user, "this user may not see")
          .doesNotContain("\tat ");
    }
  }

  private static CommandLine commands() {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    return Evenkey.commandLine(Portal::start, nowhere, nowhere);
  }

  private static void addTo(List<CommandLine> all, CommandLine command) {
    all.add(command);
    command.getSubcommands().values().forEach(each -> addTo(all, each));
  }

  @Test
  void everyCommandOnAClusterSaysItsRights() {
    List<CommandLine> all = new ArrayList<>();
    addTo(all, commands());
    for (CommandLine command : all) {
      boolean onCluster = command.getCommandSpec().findOption("--quorum") != null;
      Rights rights = Rights.InHelp.of(command);
      assertThat(rights != null).as(command.getCommandName()).isEqualTo(onCluster);
      if (rights != null) {
        // Its lines are wrapped.
        assertThat(command.getUsageMessage().replaceAll("\\s+", " "))
            .contains(
                Stream.of(rights.value())
                    .map(line -> line.replaceAll("\\s+", " "))
                    .toArray(String[]::new));
      }
    }
  }
}
