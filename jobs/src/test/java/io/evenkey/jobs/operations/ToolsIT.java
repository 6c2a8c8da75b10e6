/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.verify.FittingRows;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.Tables;
import io.evenkey.jobs.index.IndexAddition;
import io.evenkey.jobs.index.IndexListener;
import io.evenkey.jobs.index.IndexVerification;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationPlan;
import io.evenkey.jobs.migration.MigrationSettings;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.protocol.index.TableIndex;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.mapreduce.CellCounter;
import org.apache.hadoop.hbase.mapreduce.CopyTable;
import org.apache.hadoop.hbase.mapreduce.Export;
import org.apache.hadoop.hbase.mapreduce.HashTable;
import org.apache.hadoop.hbase.mapreduce.Import;
import org.apache.hadoop.hbase.mapreduce.ImportTsv;
import org.apache.hadoop.hbase.mapreduce.RowCounter;
import org.apache.hadoop.hbase.mapreduce.SyncTable;
import org.apache.hadoop.hbase.mapreduce.WALPlayer;
import org.apache.hadoop.hbase.regionserver.CompactionTool;
import org.apache.hadoop.hbase.snapshot.ExportSnapshot;
import org.apache.hadoop.hbase.tool.BulkLoadHFilesTool;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** HBase's own tools on spread tables, as operators run them: with HBase's own client. */
@ExtendWith(EmbeddedHBaseExtension.class)
class ToolsIT {
  private static final Layout LAYOUT =
      Layout.parse("salt(4, id; as=digits(1), sep=\"_\") + id:string");
  private static final byte[] D = Bytes.toBytes("d");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final int ROWS = 50;

  @TempDir private Path directory;
  private EmbeddedHBase hbase;
  private Connection plain;
  private SpreadTables tables;
  private TableName source;
  private TableName target;

  @BeforeEach
  void create(EmbeddedHBase shared, TestInfo info) throws IOException {
    hbase = shared;
    plain = shared.connection();
    tables = SpreadTables.on(plain);
    source = Tables.nameOf(info);
    target = TableName.valueOf(source + "_target");
    SpreadTable table = tables.create(source, LAYOUT, LAYOUT.splits(2), List.of("d"));
    tables.create(target, LAYOUT, LAYOUT.splits(2), List.of("d"));
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(put("id" + i));
    }
    table.put(puts);
  }

  @AfterEach
  void close() throws IOException {
    tables.close();
    // Where CopyTable leaves the files that it has loaded: no setting moves it.
    FileUtil.fullyDelete(new File("copytable"));
  }

  private static Put put(String id) {
    return new Put(LAYOUT.logicalKey(Values.of("id", id))).addColumn(D, Q, Bytes.toBytes(id));
  }

  private int run(Tool tool, String... arguments) throws Exception {
    Configuration conf = hbase.configuration();
    conf.set("mapreduce.framework.name", "local");
    conf.set("hadoop.tmp.dir", directory.resolve("tmp").toString());
    conf.set("mapreduce.cluster.local.dir", directory.resolve("local").toString());
    conf.set("hbase.fs.tmp.dir", directory.resolve("staging").toUri().toString());
    conf.set("fs.defaultFS", "file:///");
    conf.setInt("mapreduce.map.maxattempts", 1);
    return ToolRunner.run(conf, tool, arguments);
  }

  private String path(String name) {
    return directory.resolve(name).toUri().toString();
  }

  /** What Evenkey reads of a table, each value under its key. */
  private Map<String, String> rows(TableName name) throws IOException {
    Map<String, String> rows = new TreeMap<>();
    SpreadTable table = tables.open(name);
    try (ResultScanner scanner = table.scan(KeyRange.all(), new Scan())) {
      for (Result row : scanner) {
        rows.put(Bytes.toString(row.getRow()), Bytes.toString(row.getValue(D, Q)));
      }
    }
    return rows;
  }

  private void targetIsWhole() throws IOException {
    assertThat(rows(target)).hasSize(ROWS).isEqualTo(rows(source));
  }

  private void targetIsEmpty() throws IOException {
    try (Table table = plain.getTable(target);
        ResultScanner scanner = table.getScanner(new Scan())) {
      assertThat(scanner.next()).isNull();
    }
  }

  /** A table without a layout that has the logical keys. */
  private TableName logical() throws IOException {
    TableName name = TableName.valueOf(source + "_logical");
    try (Admin admin = plain.getAdmin();
        Table table = plain.getTable(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(D))
              .build());
      table.put(List.of(put("id1"), put("id2")));
    }
    return name;
  }

  @Test
  void copyTableCopiesRows() throws Exception {
    assertThat(run(new CopyTable(), "--new.name=" + target, source.toString())).isZero();
    targetIsWhole();
  }

  @Tag("long")
  @Test
  void copyTableCopiesATimeRange() throws Exception {
    tables
        .open(source)
        .put(new Put(LAYOUT.logicalKey(Values.of("id", "early"))).addColumn(D, Q, 5, D));
    String into = "--new.name=" + target;
    assertThat(run(new CopyTable(), "--starttime=5", "--endtime=6", into, source.toString()))
        .isZero();
    assertThat(rows(target)).containsOnlyKeys("early");
  }

  @Tag("long")
  @Test
  void copyTableOfLogicalKeysWritesNothing() throws Exception {
    assertThat(run(new CopyTable(), "--new.name=" + target, logical().toString())).isNotZero();
    targetIsEmpty();
  }

  @Tag("long")
  @Test
  void copyTableIntoATableWithAnIndexWritesNothing() throws Exception {
    TableIndex index =
        TableIndex.parse("by_q events joining as \"q:string + id:string\" from q=d:q");
    try (Registry registry = Registry.open(hbase.configuration())) {
      new IndexAddition(target, index, 0, 0).run(plain, registry, IndexListener.NONE);
    }
    assertThat(run(new CopyTable(), "--new.name=" + target, source.toString())).isNotZero();
    assertThatThrownBy(
            () -> run(new CopyTable(), "--bulkload", "--new.name=" + target, source.toString()))
        .hasStackTraceContaining("table has indexes, which other clients do not write");
    targetIsEmpty();
  }

  @Tag("long")
  @Test
  void copyTableIntoATableThatIsMigratedIsCarriedOver() throws Exception {
    Layout next = Layout.parse("salt(8, id; as=digits(1), sep=\"_\") + id:string");
    MigrationSettings settings = MigrationSettings.in(new org.apache.hadoop.fs.Path(path("work")));
    try (Registry registry = Registry.open(hbase.configuration())) {
      MigrationPlan plan = MigrationPlan.of(target, next);
      try (Migrator migrator =
          Migrator.begin(plain, registry, plan, settings, MigrationListener.NONE)) {
        migrator.run();
      }
      assertThat(run(new CopyTable(), "--new.name=" + target, source.toString())).isZero();
      try (Migrator migrator =
          Migrator.resume(plain, registry, target, settings, MigrationListener.NONE)) {
        migrator.aimFor(Stage.SWITCHED);
        migrator.run();
      }
      targetIsWhole();
      // The table of this name is closed then, whatever its rows are.
      assertThat(run(new CopyTable(), "--new.name=" + target, source.toString())).isNotZero();
      targetIsWhole();
    }
  }

  @Tag("long")
  @Test
  void copyTableByBulkLoadCopiesRows() throws Exception {
    assertThat(run(new CopyTable(), "--bulkload", "--new.name=" + target, source.toString()))
        .isZero();
    targetIsWhole();
  }

  @Tag("long")
  @Test
  void importTakesAnExport() throws Exception {
    assertThat(run(new Export(), source.toString(), path("export"))).isZero();
    assertThat(run(new Import(), target.toString(), path("export"))).isZero();
    targetIsWhole();
  }

  @Tag("long")
  @Test
  void importOfLogicalKeysWritesNothing() throws Exception {
    assertThat(run(new Export(), logical().toString(), path("export"))).isZero();
    assertThat(run(new Import(), target.toString(), path("export"))).isNotZero();
    targetIsEmpty();
  }

  @Tag("long")
  @Test
  void importWithEvenkeysConnectionHasToSayWhatItsRowsAre() throws Exception {
    String evenkey = "-Dhbase.client.connection.impl=" + EvenkeyConnection.class.getName();
    assertThat(run(new Export(), logical().toString(), path("export"))).isZero();
    rejected(new Import(), evenkey, target.toString(), path("export"));
    targetIsEmpty();
    String logical = "-Devenkey.import.rows=logical";
    assertThat(run(new Import(), evenkey, logical, target.toString(), path("export"))).isZero();
    assertThat(rows(target)).containsOnlyKeys("id1", "id2");
    // It reads logical keys, and writes such.
    assertThat(run(new CopyTable(), evenkey, "--new.name=" + target, source.toString())).isZero();
    targetIsWhole();
  }

  @Tag("long")
  @Test
  void filesOfAnImportAreLoaded() throws Exception {
    assertThat(run(new Export(), source.toString(), path("export"))).isZero();
    assertThat(
            run(
                new Import(),
                "-Dimport.bulk.output=" + path("files"),
                target.toString(),
                path("export")))
        .isZero();
    assertThat(run(new BulkLoadHFilesTool(hbase.configuration()), path("files"), target.toString()))
        .isZero();
    targetIsWhole();
  }

  @Tag("long")
  @Test
  void syncTableRepairsRows() throws Exception {
    try (Table table = plain.getTable(target)) {
      // One that differs, and one that the source does not have.
      byte[] row = LAYOUT.encode(Values.of("id", "id1"));
      table.put(new Put(row).addColumn(D, Q, Bytes.toBytes("other")));
      table.put(new Put(LAYOUT.encode(Values.of("id", "more"))).addColumn(D, Q, D));
    }
    assertThat(run(new HashTable(hbase.configuration()), source.toString(), path("hashes")))
        .isZero();
    assertThat(
            run(
                new SyncTable(hbase.configuration()),
                path("hashes"),
                source.toString(),
                target.toString()))
        .isZero();
    targetIsWhole();
  }

  @Tag("long")
  @Test
  void syncTableWritesNothingInADryRun() throws Exception {
    run(new HashTable(hbase.configuration()), source.toString(), path("hashes"));
    assertThat(
            run(
                new SyncTable(hbase.configuration()),
                "--dryrun=true",
                path("hashes"),
                source.toString(),
                target.toString()))
        .isZero();
    targetIsEmpty();
  }

  @Tag("long")
  @Test
  void walPlayerWritesRowsOfSeveralTables() throws Exception {
    TableName more = TableName.valueOf(source + "_more");
    TableName into = TableName.valueOf(target + "_more");
    tables.create(more, LAYOUT, LAYOUT.splits(2), List.of("d")).put(put("more"));
    tables.create(into, LAYOUT, LAYOUT.splits(2), List.of("d"));
    rollWals();
    assertThat(run(new WALPlayer(), wals(), source + "," + more, target + "," + into)).isZero();
    targetIsWhole();
    assertThat(rows(into)).containsOnlyKeys("more");
  }

  /** As by HBase's shell: {@code alter}, {@code clone_table_schema}, {@code move}, hbck2. */
  @Test
  void aTableIsAlteredAndItsRegionsAreMoved() throws Exception {
    TableName schema = TableName.valueOf(source + "_schema");
    try (Admin admin = plain.getAdmin()) {
      admin.addColumnFamily(source, ColumnFamilyDescriptorBuilder.of("more"));
      admin.modifyColumnFamily(
          source, ColumnFamilyDescriptorBuilder.newBuilder(D).setMaxVersions(3).build());
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(source))
              .setMaxFileSize(1L << 30)
              .build());
      admin.deleteColumnFamily(source, Bytes.toBytes("more"));
      assertThatThrownBy(
              () ->
                  admin.modifyTable(
                      TableDescriptorBuilder.newBuilder(admin.getDescriptor(source))
                          .removeValue(TableLayout.LAYOUT)
                          .build()))
          .hasMessageContaining("layout of an existing table cannot be changed");
      RegionInfo region = admin.getRegions(source).get(0);
      admin.move(region.getEncodedNameAsBytes());
      admin.unassign(region.getRegionName());
      admin.assign(region.getRegionName());
      assertThat(rows(source)).hasSize(ROWS);
      admin.cloneTableSchema(source, schema, true);
      assertThat(admin.getRegions(schema)).hasSameSizeAs(admin.getRegions(source));
      tables.open(schema).put(put("id1"));
      assertThat(rows(schema)).containsOnlyKeys("id1");
    }
  }

  @Tag("long")
  @Test
  void walPlayerWritesRowsAgain() throws Exception {
    tables.open(source).delete(new Delete(LAYOUT.logicalKey(Values.of("id", "id7"))));
    rollWals();
    assertThat(run(new WALPlayer(), wals(), source.toString(), target.toString())).isZero();
    assertThat(rows(target)).hasSize(ROWS - 1).isEqualTo(rows(source));
  }

  @Tag("long")
  @Test
  void countersReadRows() throws Exception {
    assertThat(run(new RowCounter(), source.toString(), "--expectedCount=" + ROWS)).isZero();
    assertThat(run(new CellCounter(), source.toString(), path("cells"))).isZero();
    assertThat(Files.readString(directory.resolve("cells").resolve("part-r-00000")))
        .contains("Total ROWS\t" + ROWS);
  }

  @Tag("long")
  @Test
  void importTsvTakesStoredRowsOnly() throws Exception {
    StringBuilder logical = new StringBuilder();
    for (String id : rows(source).keySet()) {
      logical.append(id).append('\t').append(id).append('\n');
    }
    Files.createDirectory(directory.resolve("logical"));
    Files.writeString(directory.resolve("logical").resolve("rows.tsv"), logical);
    String columns = "-Dimporttsv.columns=HBASE_ROW_KEY,d:q";
    assertThat(run(new ImportTsv(), columns, target.toString(), path("logical"))).isNotZero();
    targetIsEmpty();
    assertThat(run(new ImportTsv(), columns, target.toString(), storedTsv("stored"))).isZero();
    targetIsWhole();
  }

  @Tag("long")
  @Test
  void compactionToolKeepsRows() throws Exception {
    try (Admin admin = plain.getAdmin()) {
      admin.flush(source);
      tables.open(source).put(put("id1"));
      Map<String, String> before = rows(source);
      compactOffline(source);
      assertThat(rows(source)).isEqualTo(before).hasSize(ROWS);
    }
  }

  @Tag("long")
  @Test
  void aSnapshotIsExportedClonedAndRestoredInPlace() throws Exception {
    String snapshot = "of_" + source;
    try (Admin admin = plain.getAdmin()) {
      exportSnapshot(source, snapshot);
      TableName clone = TableName.valueOf(source + "_clone");
      admin.cloneSnapshot(snapshot, clone);
      assertThat(rows(clone)).hasSize(ROWS);
      tables.open(source).put(put("later"));
      admin.disableTable(source);
      admin.restoreSnapshot(snapshot);
      admin.enableTable(source);
      assertThat(rows(source)).hasSize(ROWS).doesNotContainKey("later");
      tables.open(source).put(put("later"));
      assertThat(rows(source)).hasSize(ROWS + 1);
      assertThat(storedRows(source)).allMatch(row -> FittingRows.fits(LAYOUT, row));
      admin.deleteSnapshot(snapshot);
    }
  }

  /** A tool that ends with an error. */
  private void rejected(Tool tool, String... arguments) {
    int code;
    try {
      code = run(tool, arguments);
    } catch (Exception e) {
      return;
    }
    assertThat(code).as("%s", tool).isNotZero();
  }

  /** Each row as it is stored under a layout, as a file for {@code ImportTsv}. */
  private String storedTsv(String directoryName) throws IOException {
    StringBuilder stored = new StringBuilder();
    for (String id : rows(source).keySet()) {
      byte[] row = LAYOUT.encode(Values.of("id", id));
      stored.append(Bytes.toString(row)).append('\t').append(id).append('\n');
    }
    Path made = Files.createDirectory(directory.resolve(directoryName));
    Files.writeString(made.resolve("rows.tsv"), stored);
    return path(directoryName);
  }

  private void rollWals() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        admin.rollWALWriter(server);
      }
    }
  }

  private String wals() {
    return hbase.configuration().get("hbase.rootdir") + "/WALs";
  }

  private void read(TableName name, long rows, String as) throws Exception {
    assertThat(run(new RowCounter(), name.toString(), "--expectedCount=" + rows)).isZero();
    assertThat(run(new CellCounter(), name.toString(), path("cells-" + as))).isZero();
    assertThat(run(new HashTable(hbase.configuration()), name.toString(), path("hashes-of-" + as)))
        .isZero();
    assertThat(run(new Export(), name.toString(), path("export-of-" + as))).isZero();
  }

  /** With an export of the table of logical keys. */
  private void logicalKeysAreRejected(TableName logical) {
    rejected(new CopyTable(), "--new.name=" + target, logical.toString());
    rejected(new Import(), target.toString(), path("logical"));
  }

  /** Evenkey's connection writes logical keys where they belong, whatever the table's state. */
  private void logicalKeysAreImported(String id) throws Exception {
    TableName of = TableName.valueOf(source + "_" + id);
    try (Admin admin = plain.getAdmin();
        Table table = plain.getTable(of)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(of)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(D))
              .build());
      table.put(put(id));
    }
    assertThat(run(new Export(), of.toString(), path(id))).isZero();
    assertThat(
            run(
                new Import(),
                "-Dhbase.client.connection.impl=" + EvenkeyConnection.class.getName(),
                "-Devenkey.import.rows=logical",
                target.toString(),
                path(id)))
        .isZero();
    assertThat(rows(target)).containsEntry(id, id);
    tables.open(target).delete(new Delete(LAYOUT.logicalKey(Values.of("id", id))));
  }

  private void compactOffline(TableName name) throws Exception {
    try (Admin admin = plain.getAdmin()) {
      admin.flush(name);
      admin.disableTable(name);
      Configuration conf = hbase.configuration();
      String table = CommonFSUtils.getTableDir(CommonFSUtils.getRootDir(conf), name).toString();
      assertThat(run(new CompactionTool(), "-major", "-compactOnce", table)).isZero();
      admin.enableTable(name);
    }
  }

  private void exportSnapshot(TableName name, String snapshot) throws Exception {
    try (Admin admin = plain.getAdmin()) {
      admin.snapshot(snapshot, name);
      assertThat(
              run(
                  new ExportSnapshot(),
                  // A local directory has no checksums of whole files.
                  "-no-checksum-verify",
                  "-snapshot",
                  snapshot,
                  "-copy-from",
                  hbase.configuration().get("hbase.rootdir"),
                  "-copy-to",
                  path("exported-" + snapshot)))
          .isZero();
      Path exported = directory.resolve("exported-" + snapshot);
      assertThat(exported.resolve(".hbase-snapshot").resolve(snapshot)).exists();
    }
  }

  /** An empty table at rest, with the layout and without indexes. */
  private void schemaIsCloned(TableName of, String name) throws IOException {
    TableName schema = TableName.valueOf(source + name);
    try (Admin admin = plain.getAdmin()) {
      admin.cloneTableSchema(of, schema, true);
      assertThat(TableLayout.of(admin.getDescriptor(schema))).isEqualTo(LAYOUT);
      assertThat(TableLayout.indexes(admin.getDescriptor(schema)).list()).isEmpty();
    }
    assertThat(rows(schema)).isEmpty();
    tables.open(schema).put(put("id1"));
    assertThat(rows(schema)).containsOnlyKeys("id1");
  }

  /** Merges the first two regions, splits what comes of it, and has it served again. */
  private void regionsChange(TableName of) throws Exception {
    try (Admin admin = plain.getAdmin()) {
      await()
          .atMost(5, TimeUnit.MINUTES)
          .ignoreExceptions()
          .until(
              () -> {
                // It archives what was compacted.
                admin.disableTable(of);
                admin.enableTable(of);
                return merged(admin, of);
              });
      await()
          .atMost(5, TimeUnit.MINUTES)
          .ignoreExceptions()
          .until(
              () -> {
                compactOffline(of);
                return split(admin, of);
              });
      RegionInfo region = admin.getRegions(of).get(0);
      admin.move(region.getEncodedNameAsBytes());
      admin.unassign(region.getRegionName());
      admin.assign(region.getRegionName());
    }
  }

  private static boolean merged(Admin admin, TableName of) throws Exception {
    List<RegionInfo> regions = admin.getRegions(of);
    byte[][] both = {
      regions.get(0).getEncodedNameAsBytes(), regions.get(1).getEncodedNameAsBytes()
    };
    admin.mergeRegionsAsync(both, false).get();
    return admin.getRegions(of).size() == regions.size() - 1;
  }

  private static boolean split(Admin admin, TableName of) throws Exception {
    List<RegionInfo> regions = admin.getRegions(of);
    byte[] row = Bytes.toBytes("1_");
    admin.splitRegionAsync(regions.get(0).getEncodedNameAsBytes(), row).get();
    return admin.getRegions(of).size() == regions.size() + 1;
  }

  /** Tools that read the source and compare, or write a part of it. */
  private void otherToolsWork(boolean writes, boolean reads, String as) throws Exception {
    Map<String, String> before = rows(target);
    String early = "early" + as;
    String[] timeRange = {
      "--starttime=5", "--endtime=6", "--new.name=" + target, source.toString()
    };
    String[] dryRun = {"--dryrun=true", path("hashes" + as), source.toString(), target.toString()};
    String[] hashes = {source.toString(), path("hashes" + as)};
    assertThat(run(new HashTable(hbase.configuration()), hashes)).isZero();
    tables
        .open(source)
        .put(new Put(LAYOUT.logicalKey(Values.of("id", early))).addColumn(D, Q, 5, D));
    if (reads) {
      assertThat(run(new SyncTable(hbase.configuration()), dryRun)).isZero();
    } else {
      rejected(new SyncTable(hbase.configuration()), dryRun);
    }
    assertThat(rows(target)).isEqualTo(before);
    if (writes) {
      assertThat(run(new CopyTable(), timeRange)).isZero();
      assertThat(rows(target)).containsKey(early).hasSize(before.size() + 1);
      tables.open(target).delete(new Delete(LAYOUT.logicalKey(Values.of("id", early))));
    } else {
      rejected(new CopyTable(), timeRange);
    }
    tables.open(source).delete(new Delete(LAYOUT.logicalKey(Values.of("id", early))));
    assertThat(rows(target)).isEqualTo(before);
  }

  @Tag("long")
  @Test
  void aTableWithAnIndexIsReadAndTakesNoRowWithoutItsEntry() throws Exception {
    TableIndex index =
        TableIndex.parse("by_q events joining as \"q:string + id:string\" from q=d:q");
    try (Registry registry = Registry.open(hbase.configuration());
        Admin admin = plain.getAdmin()) {
      new IndexAddition(target, index, 0, 0).run(plain, registry, IndexListener.NONE);
      tables.open(target).put(List.of(put("a"), put("b"), put("c")));
      Map<String, String> before = rows(target);

      assertThat(run(new Export(), source.toString(), path("export"))).isZero();
      rejected(new Import(), target.toString(), path("export"));
      rejected(
          new ImportTsv(),
          "-Dimporttsv.columns=HBASE_ROW_KEY,d:q",
          target.toString(),
          storedTsv("stored"));
      assertThat(run(new HashTable(hbase.configuration()), source.toString(), path("hashes")))
          .isZero();
      rejected(
          new SyncTable(hbase.configuration()),
          path("hashes"),
          source.toString(),
          target.toString());
      rollWals();
      rejected(new WALPlayer(), wals(), source.toString(), target.toString());
      TableName logical = logical();
      assertThat(run(new Export(), logical.toString(), path("logical"))).isZero();
      logicalKeysAreRejected(logical);
      assertThat(rows(target)).isEqualTo(before).hasSize(3);

      otherToolsWork(false, true, "-indexed");
      schemaIsCloned(target, "_indexed_schema");

      logicalKeysAreImported("indexed");
      read(target, 3, "indexed");
      regionsChange(target);
      compactOffline(target);
      exportSnapshot(target, "indexed_" + source);
      TableName clone = TableName.valueOf(source + "_clone");
      admin.cloneSnapshot("indexed_" + source, clone);
      assertThat(rows(clone)).isEqualTo(before);
      assertThat(TableLayout.indexes(admin.getDescriptor(clone)).list()).isEmpty();
      assertThat(rows(target)).isEqualTo(before);
      assertThat(
              IndexVerification.run(plain, registry, target, "by_q", false, IndexListener.NONE)
                  .found()
                  .missing())
          .isZero();
      admin.deleteSnapshot("indexed_" + source);

      admin.disableTable(target);
      admin.deleteTable(target);
      tables.create(target, LAYOUT, LAYOUT.splits(2), List.of("d"));
      assertThat(run(new CopyTable(), "--new.name=" + target, source.toString())).isZero();
      targetIsWhole();
      new IndexAddition(target, index, 0, 0).run(plain, registry, IndexListener.NONE);
      Set<String> indexed = new TreeSet<>();
      try (KeyedRows found = tables.open(target).select().by("by_q").open()) {
        for (KeyedRow row : found) {
          indexed.add(row.getString("id"));
        }
      }
      assertThat(indexed).isEqualTo(rows(target).keySet());
      assertThat(
              IndexVerification.run(plain, registry, target, "by_q", false, IndexListener.NONE)
                  .isComplete())
          .isTrue();
    }
  }

  @Tag("long")
  @Test
  void whatToolsWriteIntoATableThatIsMigratedIsCarriedOver() throws Exception {
    Layout next = Layout.parse("salt(8, id; as=digits(1), sep=\"_\") + id:string");
    MigrationSettings settings = MigrationSettings.in(new org.apache.hadoop.fs.Path(path("work")));
    tables.open(target).put(List.of(put("a"), put("b"), put("c")));
    try (Registry registry = Registry.open(hbase.configuration());
        Admin admin = plain.getAdmin()) {
      MigrationPlan plan = MigrationPlan.of(target, next);
      TableName generation;
      try (Migrator migrator =
          Migrator.begin(plain, registry, plan, settings, MigrationListener.NONE)) {
        generation = migrator.run().target();
      }
      assertThat(run(new Export(), source.toString(), path("export"))).isZero();
      assertThat(run(new Import(), target.toString(), path("export"))).isZero();
      tables.open(source).put(put("later"));
      assertThat(run(new HashTable(hbase.configuration()), source.toString(), path("hashes")))
          .isZero();
      // Deletes what the source does not have.
      assertThat(
              run(
                  new SyncTable(hbase.configuration()),
                  path("hashes"),
                  source.toString(),
                  target.toString()))
          .isZero();
      assertThat(rows(target)).containsKey("later").doesNotContainKey("a");
      tables.open(source).put(put("last"));
      rollWals();
      assertThat(run(new WALPlayer(), wals(), source.toString(), target.toString())).isZero();
      String tsv = "-Dimporttsv.columns=HBASE_ROW_KEY,d:q";
      tables.open(source).put(put("tsv"));
      assertThat(run(new ImportTsv(), tsv, target.toString(), storedTsv("stored"))).isZero();
      assertThat(
              run(
                  new Import(),
                  "-Dimport.bulk.output=" + path("files"),
                  target.toString(),
                  path("export")))
          .isZero();
      rejected(new BulkLoadHFilesTool(hbase.configuration()), path("files"), target.toString());
      read(target, ROWS + 3, "migrated");
      TableName logical = logical();
      assertThat(run(new Export(), logical.toString(), path("logical"))).isZero();
      logicalKeysAreRejected(logical);
      logicalKeysAreImported("migrated");
      otherToolsWork(true, true, "-migrated");
      schemaIsCloned(target, "_migrated_schema");
      // It compacts without the guard, which keeps tombstones.
      tables.open(target).delete(new Delete(LAYOUT.logicalKey(Values.of("id", "id7"))));
      tables.open(source).delete(new Delete(LAYOUT.logicalKey(Values.of("id", "id7"))));
      compactOffline(target);
      exportSnapshot(target, "migrated_" + source);

      for (Stage stage : List.of(Stage.SWITCHED, Stage.FINISHED)) {
        try (Migrator migrator =
            Migrator.resume(plain, registry, target, settings, MigrationListener.NONE)) {
          migrator.aimFor(stage);
          migrator.run();
        }
        assertThat(rows(target)).hasSize(ROWS + 2).isEqualTo(rows(source));
        read(generation, ROWS + 2, stage.toString());
        logicalKeysAreImported(stage.toString());
        if (!admin.tableExists(target)) {
          continue;
        }
        logicalKeysAreRejected(logical);
        rejected(new CopyTable(), "--bulkload", "--new.name=" + target, source.toString());
        rejected(new BulkLoadHFilesTool(hbase.configuration()), path("files"), target.toString());
        compactOffline(target);
        rejected(new RowCounter(), target.toString());
        rejected(new CellCounter(), target.toString(), path("cells-closed-" + stage));
        rejected(new HashTable(hbase.configuration()), target.toString(), path("closed-" + stage));
        rejected(new Export(), target.toString(), path("export-closed-" + stage));
        rejected(new Import(), target.toString(), path("export"));
        rejected(new WALPlayer(), wals(), source.toString(), target.toString());
        rejected(new ImportTsv(), tsv, target.toString(), path("stored"));
        rejected(
            new SyncTable(hbase.configuration()),
            path("hashes"),
            source.toString(),
            target.toString());
        otherToolsWork(false, false, "-" + stage);
        schemaIsCloned(target, "_schema_" + stage);
        regionsChange(target);
        admin.disableTable(target);
        assertThatThrownBy(() -> admin.restoreSnapshot("migrated_" + source, false))
            .hasStackTraceContaining("being migrated cannot be restored from a snapshot");
        admin.enableTable(target);
        assertThatThrownBy(() -> admin.snapshot("closed" + stage + source, target))
            .hasStackTraceContaining("generation that is not in use");
        assertThat(rows(target)).isEqualTo(rows(source));
      }
      admin.deleteSnapshot("migrated_" + source);
    }
  }

  private List<byte[]> storedRows(TableName name) throws IOException {
    List<byte[]> rows = new ArrayList<>();
    try (Table table = plain.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan())) {
      scanner.forEach(row -> rows.add(row.getRow()));
    }
    return rows;
  }
}
