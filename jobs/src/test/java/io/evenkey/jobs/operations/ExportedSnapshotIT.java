/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.jobs.index.IndexAddition;
import io.evenkey.jobs.index.IndexAdoption;
import io.evenkey.jobs.index.IndexListener;
import io.evenkey.jobs.index.IndexReport;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationPlan;
import io.evenkey.jobs.migration.MigrationSettings;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.snapshot.ExportSnapshot;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots of spread tables that another cluster gets by {@code ExportSnapshot}. */
@Tag("long")
@Timeout(300)
class ExportedSnapshotIT {
  private static final Layout LAYOUT = Layout.parse("salt(4) + id:string");
  private static final byte[] D = Bytes.toBytes("d");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final int ROWS = 50;

  @TempDir private static Path directory;
  private static Side here;
  private static Side there;

  /** One of two clusters, each with a file system of its own. */
  private record Side(EmbeddedHBase hbase, SpreadTables tables, Admin admin, Registry registry)
      implements AutoCloseable {
    static Side start(String name) throws IOException {
      EmbeddedHBase hbase = EmbeddedHBase.in(directory.resolve(name)).servers(1).start();
      return new Side(
          hbase,
          SpreadTables.on(hbase.connection()),
          hbase.connection().getAdmin(),
          Registry.open(hbase.configuration()));
    }

    void create(TableName name) throws IOException {
      tables.create(name, LAYOUT, LAYOUT.splits(4), List.of("d"));
    }

    void write(TableName name, int from, int to) throws IOException {
      List<Put> puts = new ArrayList<>();
      for (String id : ids(from, to)) {
        byte[] key = LAYOUT.logicalKey(Values.of("id", id));
        puts.add(new Put(key).addColumn(D, Q, Bytes.toBytes(id)));
      }
      tables.open(name).put(puts);
    }

    Set<String> rows(TableName name) throws IOException {
      Set<String> rows = new TreeSet<>();
      SpreadTable table = tables.open(name);
      try (ResultScanner scanner = table.scan(KeyRange.all(), new Scan())) {
        for (Result row : scanner) {
          assertThat(row.getValue(D, Q)).isEqualTo(row.getRow());
          rows.add(Bytes.toString(row.getRow()));
        }
      }
      return rows;
    }

    Set<String> byValue(TableName name) throws IOException {
      Set<String> rows = new TreeSet<>();
      try (KeyedRows found = tables.open(name).select().by("by_q").open()) {
        for (KeyedRow row : found) {
          rows.add(row.getString("id"));
        }
      }
      return rows;
    }

    @Override
    public void close() throws IOException {
      try (hbase;
          tables;
          admin) {
        registry.close();
      }
    }
  }

  private static Set<String> ids(int from, int to) {
    return new TreeSet<>(IntStream.range(from, to).mapToObj(i -> "id" + i).toList());
  }

  @BeforeAll
  static void start() throws IOException {
    here = Side.start("here");
    there = Side.start("there");
  }

  @AfterAll
  static void stop() throws IOException {
    try (Side one = here;
        Side other = there) {
      assertThat(one).isNotSameAs(other);
    }
  }

  private static void export(String snapshot, TableName name) throws Exception {
    here.admin().snapshot(snapshot, name);
    Configuration conf = here.hbase().configuration();
    conf.set("mapreduce.framework.name", "local");
    conf.set("hadoop.tmp.dir", directory.resolve("tmp").toString());
    conf.set("mapreduce.cluster.local.dir", directory.resolve("local").toString());
    conf.set("hbase.fs.tmp.dir", directory.resolve("staging").toUri().toString());
    conf.set("fs.defaultFS", "file:///");
    String[] arguments = {
      // A local directory has no checksums of whole files.
      "-no-checksum-verify",
      "-snapshot",
      snapshot,
      "-copy-from",
      conf.get("hbase.rootdir"),
      "-copy-to",
      there.hbase().configuration().get("hbase.rootdir")
    };
    assertThat(ToolRunner.run(conf, new ExportSnapshot(), arguments)).isZero();
  }

  @Test
  void theOtherClusterReadsClonesAndARestoredTable() throws Exception {
    TableName name = TableName.valueOf("readings");
    here.create(name);
    here.write(name, 0, ROWS);
    export("of_readings", name);
    here.write(name, ROWS, ROWS + 10);

    TableName other = TableName.valueOf("other");
    there.admin().cloneSnapshot("of_readings", other);
    there.admin().cloneSnapshot("of_readings", name);
    for (TableName clone : List.of(other, name)) {
      assertThat(there.rows(clone)).isEqualTo(ids(0, ROWS));
      there.write(clone, ROWS, ROWS + 5);
      assertThat(there.rows(clone)).isEqualTo(ids(0, ROWS + 5));
    }
    there.admin().disableTable(name);
    there.admin().restoreSnapshot("of_readings");
    there.admin().enableTable(name);
    assertThat(there.rows(name)).isEqualTo(ids(0, ROWS));
    there.write(name, ROWS, ROWS + 5);
    assertThat(there.rows(name)).isEqualTo(ids(0, ROWS + 5));
    assertThat(here.rows(name)).isEqualTo(ids(0, ROWS + 10));
  }

  @Test
  void anIndexIsAdoptedThereIfItsTableIsExportedToo() throws Exception {
    TableName name = TableName.valueOf("indexed");
    here.create(name);
    here.write(name, 0, ROWS);
    TableIndex index =
        TableIndex.parse("by_q events joining as \"q:string + id:string\" from q=d:q");
    new IndexAddition(name, index, 0, 0)
        .run(here.hbase().connection(), here.registry(), IndexListener.NONE);
    TableName entries = TableName.valueOf("indexed.by_q");
    export("of_entries", entries);
    // The snapshots are of two moments.
    here.write(name, ROWS, ROWS + 10);
    export("of_indexed", name);
    Set<String> all = ids(0, ROWS + 10);

    TableName other = TableName.valueOf("without_index");
    there.admin().cloneSnapshot("of_indexed", other);
    assertThat(there.rows(other)).isEqualTo(all);
    assertThat(TableLayout.indexes(there.admin().getDescriptor(other)).list()).isEmpty();

    there.admin().cloneSnapshot("of_indexed", name);
    assertThat(there.rows(name)).isEqualTo(all);
    assertThatThrownBy(() -> there.byValue(name)).hasMessageContaining("not read now");
    assertThatThrownBy(() -> adopt(name)).hasMessageContaining("table of the index does not exist");
    there.admin().cloneSnapshot("of_entries", entries);
    assertThat(adopt(name).isComplete()).isTrue();
    assertThat(there.byValue(name)).isEqualTo(all);
    there.write(name, ROWS + 10, ROWS + 15);
    assertThat(there.byValue(name)).isEqualTo(ids(0, ROWS + 15));
    assertThat(here.byValue(name)).isEqualTo(all);
  }

  private static IndexReport adopt(TableName name) throws IOException {
    return IndexAdoption.run(
        there.hbase().connection(), there.registry(), name, "by_q", IndexListener.NONE);
  }

  @Test
  void aSnapshotOfAMigratedTableIsReadThere() throws Exception {
    TableName name = TableName.valueOf("migrated");
    here.create(name);
    here.write(name, 0, ROWS);
    MigrationSettings settings =
        MigrationSettings.in(new org.apache.hadoop.fs.Path(directory.resolve("work").toUri()));
    MigrationPlan plan =
        MigrationPlan.of(name, Layout.parse("salt(8) + id:string")).aimFor(Stage.READY);
    try (Migrator migrator =
        Migrator.begin(
            here.hbase().connection(), here.registry(), plan, settings, MigrationListener.NONE)) {
      migrator.run();
    }
    export("during", name);
    TableName other = TableName.valueOf("of_migrated");
    for (TableName clone : List.of(other, name)) {
      there.admin().cloneSnapshot("during", clone);
      there.write(clone, ROWS, ROWS + 5);
      assertThat(there.rows(clone)).isEqualTo(ids(0, ROWS + 5));
    }
    TableName generation;
    try (Migrator migrator =
        Migrator.resume(
            here.hbase().connection(), here.registry(), name, settings, MigrationListener.NONE)) {
      migrator.aimFor(Stage.FINISHED);
      generation = migrator.run().generation();
    }
    here.write(name, ROWS, ROWS + 10);
    assertThatThrownBy(() -> export("after", name))
        .hasStackTraceContaining("generation that is not in use");
    export("closed-after", name);
    export("of_generation", generation);
    drop(name);
    // The generation that was left, under the name of a table that is not in use.
    there.admin().cloneSnapshot("closed-after", name);
    assertThatThrownBy(() -> there.rows(name)).isInstanceOf(IOException.class);
    drop(name);
    there.admin().cloneSnapshot("of_generation", name);
    assertThat(there.rows(name)).isEqualTo(ids(0, ROWS + 10));
    there.write(name, ROWS + 10, ROWS + 15);
    assertThat(there.rows(name)).isEqualTo(ids(0, ROWS + 15));
  }

  private static void drop(TableName name) throws IOException {
    there.admin().disableTable(name);
    there.admin().deleteTable(name);
  }
}
