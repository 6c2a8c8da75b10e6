/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.setting.Setting;
import io.evenkey.protocol.guard.GuardAnswer;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.KeyHistory;
import io.evenkey.protocol.guard.ReplicatedWrites;
import io.evenkey.report.cluster.Guards;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.junit.jupiter.api.Test;

/** The checks that need no HBase, and those of which an HBase can have one answer only. */
class ChecksTest {
  private static final Pattern SETTING =
      Pattern.compile("String [A-Z_]+ =\\s+\"(evenkey\\.[a-z.-]+)\"");

  private static final ServerName MASTER = ServerName.valueOf("m,1,1");
  private static final ServerName FIRST = ServerName.valueOf("a,1,1");
  private static final ServerName SECOND = ServerName.valueOf("b,1,1");

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private static Optional<CheckFinding> migration(Stage stage, Stage goal, int hours) {
    return MigrationCheck.of(
        Migration.begin(
                TableName.valueOf("t"),
                new Kind.AnotherSpread(),
                TableName.valueOf("t"),
                TableName.valueOf("t.g2"),
                1,
                NOW.minus(Duration.ofHours(hours)))
            .enter(stage)
            .aimFor(goal),
        NOW);
  }

  @Test
  void aMigrationThatNobodyGoesOnWithIsFound() {
    assertThat(migration(Stage.READY, Stage.READY, 1)).isEmpty();
    assertThat(migration(Stage.SWITCHED, Stage.SWITCHED, 23)).isEmpty();
    assertThat(migration(Stage.READY, Stage.READY, 25).orElseThrow().remedy())
        .startsWith("evenkey migrate t --switch, or --rollback");
    assertThat(migration(Stage.SWITCHED, Stage.SWITCHED, 25).orElseThrow().remedy())
        .startsWith("evenkey migrate t --finish, or --rollback");
    assertThat(migration(Stage.READY, Stage.FINISHED, 1).orElseThrow().text())
        .startsWith("migration was interrupted, and no process runs it: table=t stage=ready");
    assertThat(migration(Stage.COPYING, Stage.READY, 1).orElseThrow().isProblem()).isFalse();
  }

  /** Settings of a file, as an application reads them. */
  private static List<CheckFinding> settings(String... namesAndValues) {
    StringBuilder file = new StringBuilder("<configuration>");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      file.append("<property><name>").append(namesAndValues[i]).append("</name><value>");
      file.append(namesAndValues[i + 1]).append("</value></property>");
    }
    Configuration configuration = new Configuration(false);
    configuration.addResource(
        new ByteArrayInputStream(
            file.append("</configuration>").toString().getBytes(StandardCharsets.UTF_8)),
        "hbase-site.xml");
    return new SettingsCheck(configuration).findings();
  }

  private static final String[] BOTH = {
    EvenkeyConnection.SETTING,
    EvenkeyConnection.class.getName(),
    EvenkeyAsyncConnection.SETTING,
    EvenkeyAsyncConnection.class.getName()
  };

  @Test
  void settingsOfADropInAndOfNoneAreSound() {
    assertThat(settings()).isEmpty();
    assertThat(settings(BOTH)).isEmpty();
    assertThat(settings("hbase.rootdir", "hdfs://a/", "evenkey.registry", "off")).isEmpty();
  }

  @Test
  void plugPointsThatAreWrongAreFound() {
    assertThat(settings(EvenkeyConnection.SETTING, EvenkeyAsyncConnection.class.getName()))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.isProblem()).isTrue();
              assertThat(found.text()).contains("hbase.client.connection.impl=");
              assertThat(found.remedy()).endsWith(EvenkeyConnection.class.getName());
            });
    assertThat(settings(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName()))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.isProblem()).isFalse();
              assertThat(found.text()).contains("blocking=evenkey asynchronous=hbase");
            });
    assertThat(settings(EvenkeyConnection.SETTING, "com.example.Other"))
        .singleElement()
        .satisfies(found -> assertThat(found.text()).contains("another client"));
    List<CheckFinding> ofServers =
        settings(
            Stream.concat(Stream.of(BOTH), Stream.of("hbase.rootdir", "hdfs://a/"))
                .toArray(String[]::new));
    assertThat(ofServers)
        .hasSize(2)
        .allMatch(CheckFinding::isProblem)
        .allSatisfy(found -> assertThat(found.text()).contains("file=hbase-site.xml"));
  }

  @Test
  void valuesThatNoClientTakesAndNamesThatNoSettingHasAreFound() {
    assertThat(settings("evenkey.check", "sometimes"))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.isProblem()).isTrue();
              assertThat(found.toString())
                  .isEqualTo(
                      "unknown time of the check: evenkey.check=sometimes; expected background,"
                          + " first or off");
            });
    assertThat(settings("evenkey.registry", "maybe")).hasSize(1).allMatch(CheckFinding::isProblem);
    assertThat(settings("evenkey.layout.default", "salt(0) + id:string"))
        .singleElement()
        .satisfies(found -> assertThat(found.remedy()).contains("evenkey explain"));
    assertThat(settings("evenkey.regstry", "off"))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.isProblem()).isFalse();
              assertThat(found.toString())
                  .contains("name=evenkey.regstry", "did you mean evenkey.registry?");
            });
  }

  @Test
  void noSettingIsDeclaredOutsideItsOnePlace() throws IOException {
    assertThat(settingsIn("../client/src/main/java/io")).isEmpty();
    assertThat(settingsIn("../server/src/main/java/io")).isEmpty();
    assertThat(settingsIn("../protocol/src/main/java/io/evenkey/protocol/guard"))
        .contains(Setting.GUARD_LOAD_CHECKED.key());
    assertThat(Setting.keys()).contains("evenkey.check", Setting.GUARD_LOAD_CHECKED.key());
  }

  private static Set<String> settingsIn(String sources) throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.walk(Path.of(sources))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        SETTING
            .matcher(Files.readString(file))
            .results()
            .map((MatchResult found) -> found.group(1))
            .filter(name -> !name.endsWith("."))
            .forEach(names::add);
      }
    }
    return names;
  }

  @Test
  void bucketsThatServersCannotShareEvenlyAreFound() {
    assertThat(BucketCheck.of("t", 16, 4)).isEmpty();
    assertThat(BucketCheck.of("t", 16, 1)).isEmpty();
    assertThat(BucketCheck.of("t", 1, 3)).isEmpty();
    CheckFinding uneven = BucketCheck.of("t", 16, 3).orElseThrow();
    assertThat(uneven.isProblem()).isFalse();
    assertThat(uneven.text()).contains("table=t buckets=16 servers=3 skew=1.13");
    assertThat(uneven.remedy()).contains("18");
    CheckFinding few = BucketCheck.of("t", 2, 3).orElseThrow();
    assertThat(few.isProblem()).isTrue();
    assertThat(few.text()).contains("fewer buckets", "skew=1.50");
  }

  @Test
  void versionsThatDifferOrAreNotTestedAreFound() {
    assertThat(VersionCheck.of(Set.of("2.6.1-hadoop3"), "2.6.1-hadoop3")).isEmpty();
    assertThat(VersionCheck.of(new TreeSet<>(Set.of("2.5.11", "2.6.1")), "2.6.1"))
        .singleElement()
        .satisfies(found -> assertThat(found.text()).contains("versions=2.5.11,2.6.1"));
    assertThat(VersionCheck.of(Set.of("3.0.0-beta-1"), "2.6.1"))
        .singleElement()
        .satisfies(found -> assertThat(found.text()).contains("servers=3.0.0-beta-1"));
  }

  private static Guards.OfTable table(boolean attribute, String version) {
    GuardAnswer answer =
        version.isEmpty()
            ? null
            : new GuardAnswer(
                "",
                GuardState.REST,
                "r",
                0,
                "a,1,1",
                version,
                1,
                true,
                Optional.of(""),
                KeyHistory.SAME,
                Optional.empty(),
                Optional.empty());
    return new Guards.OfTable(TableName.valueOf("t"), "key:bytes", attribute, answer, null);
  }

  private static Guards.Survey survey(
      boolean master, Boolean first, Boolean second, Guards.OfTable... tables) {
    return new Guards.Survey(
        MASTER,
        master,
        List.of(new Guards.OfServer(FIRST, 1, first), new Guards.OfServer(SECOND, 1, second)),
        List.of(tables));
  }

  @Test
  void aGuardThatIsNotEverywhereIsFound() {
    assertThat(GuardCheck.of(survey(true, true, true, table(false, "1")), "1")).isEmpty();
    assertThat(GuardCheck.of(survey(true, true, null), "1")).isEmpty();
    assertThat(GuardCheck.of(survey(false, false, false, table(true, "1")), "1")).isEmpty();
    assertThat(GuardCheck.of(survey(false, false, false), "1"))
        .singleElement()
        .satisfies(found -> assertThat(found.isProblem()).isFalse());
    assertThat(GuardCheck.of(survey(true, true, false), "1"))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.isProblem()).isTrue();
              assertThat(found.text()).contains("server=b,1,1");
            });
    assertThat(GuardCheck.of(survey(false, true, true), "1"))
        .singleElement()
        .satisfies(found -> assertThat(found.text()).contains("master=m,1,1"));
    assertThat(GuardCheck.of(survey(true, true, true, table(true, "")), "1"))
        .singleElement()
        .satisfies(found -> assertThat(found.remedy()).contains("hbase.coprocessor.user.enabled"));
    assertThat(GuardCheck.of(survey(true, true, true, table(false, "0.9")), "1"))
        .singleElement()
        .satisfies(found -> assertThat(found.text()).contains("guard=0.9 evenkey=1"));
  }

  @Test
  void backupsThatOnlyTheClientKnowsOfAreFound() {
    assertThat(GuardCheck.ofBackups(List.of("LayoutGuard", "BackupObserver"))).isEmpty();
    CheckFinding found = GuardCheck.ofBackups(List.of("LayoutGuard")).orElseThrow();
    assertThat(found.isProblem()).isFalse();
    assertThat(found.remedy()).contains("set hbase.backup.enable on the master too");
  }

  @Test
  void aTableThatTheUserMayNotReadIsNoProblem() {
    CheckFinding denied = CheckFinding.of(new AccessDeniedException("Insufficient permissions"));
    assertThat(denied.isProblem()).isFalse();
    assertThat(denied.remedy()).isNotEmpty();
    assertThat(CheckFinding.of(new IOException("x")).isProblem()).isTrue();
  }

  private static TableDescriptor replicated(String... namesAndValues) {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"));
    for (int i = 0; i < namesAndValues.length; i += 2) {
      table.setValue(namesAndValues[i], namesAndValues[i + 1]);
    }
    return table.build();
  }

  private static TableDescriptor spread(String layout, String... namesAndValues) {
    String[] all = Arrays.copyOf(namesAndValues, namesAndValues.length + 4);
    System.arraycopy(
        new String[] {"EVENKEY_LAYOUT", layout, "EVENKEY_FORMAT", "1"},
        0,
        all,
        namesAndValues.length,
        4);
    return replicated(all);
  }

  @Test
  void whatKeepsAPeerFromTakingRowsIsFound() throws IOException {
    TableDescriptor here = spread("salt(4) + id:string");
    assertThat(ReplicationCheck.of("p", here, here)).isEmpty();
    assertThat(ReplicationCheck.of("p", replicated(), spread("id:string"))).isEmpty();
    assertThat(ReplicationCheck.of("p", here, null).orElseThrow().text())
        .isEqualTo("replicated table is missing at a peer: table=t peer=p");
    assertThat(ReplicationCheck.of("p", here, replicated()).orElseThrow().text())
        .endsWith("layout=salt(4) + id:string peer_layout=none");
    assertThat(
            ReplicationCheck.of("p", replicated(), spread("salt(8) + id:string"))
                .orElseThrow()
                .text())
        .endsWith("layout=none peer_layout=salt(8) + id:string");
    TableDescriptor step = spread("salt(4; 8 from no 9) + no:int64");
    TableDescriptor few = spread("salt(4) + no:int64");
    assertThat(ReplicationCheck.of("p", step, few).orElseThrow().remedy())
        .contains("takes it there too: resume it");
    assertThat(ReplicationCheck.of("p", few, step).orElseThrow().remedy())
        .doesNotContain("resume it");
    assertThat(
            ReplicationCheck.of(
                    "p",
                    here,
                    spread(
                        "salt(4) + id:string",
                        "EVENKEY_GUARD",
                        "revision=3 mode=tracked pass=1 turn=1 other=t.g2"))
                .orElseThrow()
                .text())
        .contains("being migrated", "mode=tracked");
  }

  @Test
  void rowsOfAnotherClusterThatWereRejectedJustNowAreFound() {
    TableDescriptor table = spread("salt(4) + id:string");
    assertThat(ReplicationCheck.ofSink(table, ReplicatedWrites.NONE)).isEmpty();
    assertThat(ReplicationCheck.ofSink(table, new ReplicatedWrites(0, 0, 1, ""))).isEmpty();
    long now = System.currentTimeMillis();
    assertThat(ReplicationCheck.ofSink(table, new ReplicatedWrites(1, now, 0, ""))).isEmpty();
    CheckFinding unknown =
        ReplicationCheck.ofSink(table, new ReplicatedWrites(0, 0, now, "")).get(0);
    assertThat(unknown.text())
        .contains("table=t layout=salt(4) + id:string source_layout=unknown last=");
    assertThat(unknown.remedy()).contains("rows that fit both layouts were accepted", "SyncTable");
    CheckFinding known =
        ReplicationCheck.ofSink(table, new ReplicatedWrites(0, 0, now, "salt(8) + id:string"))
            .get(0);
    assertThat(known.text())
        .contains("layout=salt(4) + id:string source_layout=salt(8) + id:string last=");
    assertThat(known.remedy()).doesNotContain("SyncTable");
  }

  @Test
  void aTableToWhichAnotherClusterReplicatedEarlierIsFound() {
    assertThat(
            ReplicationCheck.ofSink(
                spread("salt(4) + id:string"), new ReplicatedWrites(1_000, 1, 0, "")))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.text()).contains("table=t first_write=1970-01-01T00:00:01Z");
              assertThat(finding.remedy()).contains("replication has ended");
            });
  }
}
