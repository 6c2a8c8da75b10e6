/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableSnapshotInputFormat;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.Job;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Jobs some of whose tasks run after the table has become another one: each gives every row once,
 * or fails with what its splits were made by and what is in use.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class JobsAcrossGenerationsIT extends MigrationFixture {
  private static final Layout FROM = Layout.parse("salt(4) + no:uint16");
  private static final Layout TO = Layout.parse("salt(3) + no:uint16");
  private static final Layout STEP = Layout.parse("salt(4; 8 from no 30000) + no:uint16");
  private static final Layout PLAIN = Layout.parse("no:uint16");
  private static final Layout DESCENDING = Layout.parse("salt(4) + no:uint16 desc");
  private static final byte[] D = Bytes.toBytes("d");
  private static final String AGAIN = "begin the job again";

  /** The row key that the jobs name; empty if they name none. */
  private String key = "";

  @BeforeEach
  void create() throws IOException {
    load(FROM);
  }

  private void load(Layout layout) throws IOException {
    tables.create(name, layout, layout.splits(2), List.of("d"));
    List<Put> rows = new ArrayList<>();
    // As logical keys too, the regions' boundaries divide them.
    for (int no = 0; no < 1_600; no += 8) {
      rows.add(new Put(layout.logicalKey(Values.of("no", no))).addColumn(D, D, D));
    }
    try (Connection client = ConnectionFactory.createConnection(configuration());
        Table table = client.getTable(name)) {
      table.put(rows);
    }
  }

  private Configuration configuration() {
    Configuration configuration = new Configuration(plain.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    if (!key.isEmpty()) {
      configuration.set("evenkey.key." + name, key);
    }
    return configuration;
  }

  private Migration migrate(Layout to, Stage goal) throws IOException {
    MigrationPlan plan = MigrationPlan.of(name, to).by(Migration.By.PUTS).aimFor(goal);
    try (Migrator migrator =
        Migrator.begin(plain, registry, plan, settings(), MigrationListener.NONE)) {
      return migrator.run();
    }
  }

  /** Something that is done to the table. */
  @FunctionalInterface
  private interface Change {
    void make() throws Exception;
  }

  /**
   * The rows of a job of each input format, half of whose tasks run before a change of the table,
   * half after; or the failure of the job.
   */
  private Map<InputFormats, String> across(Change change, InputFormats... formats)
      throws Exception {
    Map<InputFormats, ReadJob> jobs = new EnumMap<>(InputFormats.class);
    Map<InputFormats, List<Integer>> before = new EnumMap<>(InputFormats.class);
    for (InputFormats format : formats) {
      ReadJob job = format.job(configuration(), name);
      jobs.put(format, job);
      List<Integer> rows = new ArrayList<>();
      for (int i = 0; i < job.tasks() / 2; i++) {
        rows.addAll(job.read(i));
      }
      before.put(format, rows);
    }
    change.make();
    Map<InputFormats, String> outcomes = new EnumMap<>(InputFormats.class);
    for (InputFormats format : formats) {
      ReadJob job = jobs.get(format);
      List<Integer> rows = before.get(format);
      try {
        for (int i = job.tasks() / 2; i < job.tasks(); i++) {
          rows.addAll(job.read(i));
        }
        outcomes.put(format, ReadJob.summary(rows));
      } catch (IOException e) {
        outcomes.put(format, e.getMessage());
      }
    }
    return outcomes;
  }

  private static void areRefused(Map<InputFormats, String> outcomes, Layout now) {
    assertThat(outcomes)
        .allSatisfy(
            (format, outcome) -> {
              if (format.readsStoredRanges()) {
                assertThat(outcome).contains(FROM.toString(), now.toString(), AGAIN);
              } else {
                assertThat(outcome).isEqualTo(format.allRows());
              }
            });
  }

  @Test
  void withoutAChangeEachRowIsReadOnce() throws Exception {
    assertThat(across(() -> {}, InputFormats.values()))
        .allSatisfy((format, outcome) -> assertThat(outcome).isEqualTo(format.allRows()));
  }

  @Test
  void aSwitchToAnotherSalt() throws Exception {
    areRefused(across(() -> migrate(TO, Stage.SWITCHED), InputFormats.values()), TO);
  }

  @Tag("long")
  @Test
  void aSwitchToAPlainTable() throws Exception {
    assertThat(across(() -> migrate(PLAIN, Stage.FINISHED), InputFormats.values()))
        .allSatisfy(
            (format, outcome) -> {
              if (format.readsStoredRanges()) {
                assertThat(outcome).contains(FROM.toString(), AGAIN);
              } else {
                assertThat(outcome).isEqualTo(format.allRows());
              }
            });
  }

  @Test
  void aStepOfTheSalt() throws Exception {
    areRefused(across(() -> migrate(STEP, Stage.FINISHED), InputFormats.values()), STEP);
  }

  private void changeKey() throws IOException {
    MigrationPlan plan =
        MigrationPlan.of(name, DESCENDING)
            .changingKey(List.of())
            .by(Migration.By.PUTS)
            .aimFor(Stage.SWITCHED);
    try (Migrator migrator =
        Migrator.begin(plain, registry, plan, settings(), MigrationListener.NONE)) {
      migrator.run();
    }
  }

  @Test
  void aChangeOfTheRowKeyFailsJobsThatNameTheirKey() throws Exception {
    key = "no:uint16";
    assertThat(across(this::changeKey, InputFormats.values()))
        .allSatisfy(
            (format, outcome) -> assertThat(outcome).contains("evenkey.key." + name + "=" + key));
  }

  @Tag("long")
  @Test
  void aChangeOfTheRowKeyFailsJobsByFieldsThatReadStoredRanges() throws Exception {
    key = "by-fields";
    InputFormats[] stored =
        Stream.of(InputFormats.values())
            .filter(InputFormats::readsStoredRanges)
            .toArray(InputFormats[]::new);
    areRefused(across(this::changeKey, stored), DESCENDING);
  }

  @Tag("long")
  @Test
  void aChangeOfTheRowKeyFailsJobsByFieldsThatReadRangesOfKeys() throws Exception {
    key = "by-fields";
    assertThat(across(this::changeKey, InputFormats.MAPRED).get(InputFormats.MAPRED))
        .contains("row in bytes, from an application that names rows by fields only")
        .contains("table=" + name, "key=no:uint16 desc", "set evenkey.key." + name);
    // Splits made after it are ranges of the present key, but do not say so.
    assertThat(across(() -> {}, InputFormats.TABLE).get(InputFormats.TABLE))
        .startsWith("rows=200 distinct=200 ");
    key = "no:uint16 desc";
    assertThat(across(() -> {}, InputFormats.MAPRED).get(InputFormats.MAPRED))
        .startsWith("rows=200 distinct=200 ");
  }

  @Test
  void aRenaming() throws Exception {
    migrate(TO, Stage.FINISHED);
    Change renaming =
        () -> {
          try (Migrator migrator =
              Migrator.rename(plain, registry, name, settings(), MigrationListener.NONE)) {
            migrator.run();
          }
        };
    assertThat(across(renaming, InputFormats.values()))
        .allSatisfy(
            (format, outcome) -> {
              if (format.readsStoredRanges()) {
                assertThat(outcome)
                    .contains(name + ".g2", TO.toString(), AGAIN)
                    .contains("=" + name + " ");
              } else {
                assertThat(outcome).isEqualTo(format.allRows());
              }
            });
  }

  @Tag("long")
  @Test
  void aTableOfTheNameThatIsCreatedByAnotherLayout() throws Exception {
    Change recreation =
        () -> {
          try (Admin admin = plain.getAdmin()) {
            admin.disableTable(name);
            admin.deleteTable(name);
          }
          load(TO);
        };
    areRefused(across(recreation, InputFormats.values()), TO);
  }

  @Test
  void aReaderThatBeginsAgainAfterAFailedCallGivesEachRowOnce() throws Exception {
    for (InputFormats format : InputFormats.values()) {
      ReadJob job = format.job(configuration(), name);
      List<Integer> rows = new ArrayList<>();
      for (int i = 0; i < job.tasks(); i++) {
        rows.addAll(job.readWithAFailure(i));
      }
      assertThat(ReadJob.summary(rows)).as("%s", format).isEqualTo(format.allRows());
    }
  }

  @Test
  void aScanOfAJobBeginsNoRangeBeforeItsFirstRow() throws Exception {
    Scan scan = new Scan().withStartRow(FROM.logicalKey(Values.of("no", 400)));
    for (InputFormats format : new InputFormats[] {InputFormats.TABLE, InputFormats.MULTI}) {
      ReadJob job = format.job(configuration(), name, List.of(scan));
      List<Integer> rows = new ArrayList<>();
      for (int i = 0; i < job.tasks(); i++) {
        rows.addAll(job.readWithAFailure(i));
      }
      assertThat(ReadJob.summary(rows))
          .as("%s", format)
          .isEqualTo("rows=150 distinct=150 first=400");
    }
  }

  @Test
  void splitsOfAGenerationWithANameOfItsOwnAreThoseOfItsRegions() throws Exception {
    Migration migration = migrate(TO, Stage.FINISHED);
    int regions;
    try (Admin admin = plain.getAdmin()) {
      regions = admin.getRegions(migration.generation()).size();
    }
    for (InputFormats format : new InputFormats[] {InputFormats.TABLE, InputFormats.MULTI}) {
      ReadJob job = format.job(configuration(), name);
      assertThat(job.tasks()).as("%s", format).isEqualTo(regions);
      for (int i = 0; i < regions; i++) {
        // Spark leaves splits out whose length is 0.
        assertThat(job.read(i).isEmpty()).as("%s", format).isEqualTo(job.length(i) == 0);
      }
    }
  }

  @Test
  void aSnapshotFormatOfHBaseGivesRowsAsTheyAreStored() throws Exception {
    String snapshot = name.getNameAsString();
    try (Admin admin = plain.getAdmin()) {
      admin.snapshot(snapshot, name);
    }
    Job job = Job.getInstance(configuration());
    Path restored = new Path(directory.resolve("restored").toUri());
    TableSnapshotInputFormat.setInput(job, snapshot, restored);
    job.getConfiguration()
        .set(TableInputFormat.SCAN, TableMapReduceUtil.convertScanToString(new Scan()));
    List<Integer> rows = new ArrayList<>();
    ReadJob stored =
        ReadJob.of(
            job.getConfiguration(),
            reader -> new TableSnapshotInputFormat(),
            row -> ReadJob.number(FROM.logical(row)));
    for (int i = 0; i < stored.tasks(); i++) {
      rows.addAll(stored.read(i));
    }
    assertThat(ReadJob.summary(rows)).isEqualTo(InputFormats.TABLE.allRows());
  }
}
