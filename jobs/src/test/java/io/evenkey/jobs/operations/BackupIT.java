/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.verify.FittingRows;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.embedded.EmbeddedHBase;
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
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.backup.BackupObserver;
import org.apache.hadoop.hbase.backup.BackupRequest;
import org.apache.hadoop.hbase.backup.BackupRestoreConstants;
import org.apache.hadoop.hbase.backup.BackupType;
import org.apache.hadoop.hbase.backup.RestoreRequest;
import org.apache.hadoop.hbase.backup.impl.BackupAdminImpl;
import org.apache.hadoop.hbase.backup.master.BackupLogCleaner;
import org.apache.hadoop.hbase.backup.master.LogRollMasterProcedureManager;
import org.apache.hadoop.hbase.backup.regionserver.LogRollRegionServerProcedureManager;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.HFileArchiveUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** HBase's own backups of spread tables. */
@Tag("long")
@Timeout(300)
class BackupIT {
  private static final Layout LAYOUT = Layout.parse("salt(4) + id:string");
  private static final TableName NAME = TableName.valueOf("readings");
  private static final byte[] D = Bytes.toBytes("d");
  private static final byte[] Q = Bytes.toBytes("q");

  @TempDir private Path directory;
  private EmbeddedHBase hbase;
  private Connection plain;
  private SpreadTables tables;

  @BeforeEach
  void start() throws IOException {
    hbase = start("hbase");
    plain = ConnectionFactory.createConnection(jobs(hbase));
    tables = SpreadTables.on(plain);
    tables.create(NAME, LAYOUT, LAYOUT.splits(4), List.of("d"));
  }

  @AfterEach
  void stop() throws IOException {
    try (EmbeddedHBase started = hbase;
        Connection connection = plain;
        SpreadTables open = tables) {
      assertThat(List.of(started, connection, open)).isNotEmpty();
    }
  }

  private EmbeddedHBase start(String name) throws IOException {
    Map<String, String> settings = new HashMap<>();
    settings.put(BackupRestoreConstants.BACKUP_ENABLE_KEY, "true");
    settings.put(
        HConstants.HBASE_MASTER_LOGCLEANER_PLUGINS,
        "org.apache.hadoop.hbase.master.cleaner.TimeToLiveLogCleaner,"
            + BackupLogCleaner.class.getName());
    settings.put("hbase.procedure.master.classes", LogRollMasterProcedureManager.class.getName());
    settings.put(
        "hbase.procedure.regionserver.classes",
        LogRollRegionServerProcedureManager.class.getName());
    settings.put("hbase.coprocessor.region.classes", BackupObserver.class.getName());
    return EmbeddedHBase.in(directory.resolve(name)).servers(1).settings(settings).start();
  }

  /** Of a client that runs its jobs in this process. */
  private Configuration jobs(EmbeddedHBase of) {
    Configuration conf = of.configuration();
    conf.set(BackupRestoreConstants.BACKUP_ENABLE_KEY, "true");
    conf.setInt("hbase.backup.attempts.max", 1);
    conf.set("mapreduce.framework.name", "local");
    conf.set("fs.defaultFS", "file:///");
    conf.set("hadoop.tmp.dir", directory.resolve("tmp").toString());
    conf.set("mapreduce.cluster.local.dir", directory.resolve("local").toString());
    conf.set("hbase.fs.tmp.dir", directory.resolve("staging").toUri().toString());
    conf.set("hbase.rootdir", of.configuration().get("hbase.rootdir"));
    return conf;
  }

  private String backup(BackupType type) throws IOException {
    return backup(type, NAME);
  }

  private String backup(BackupType type, TableName table) throws IOException {
    try (BackupAdminImpl backups = new BackupAdminImpl(plain)) {
      return backups.backupTables(
          new BackupRequest.Builder()
              .withBackupType(type)
              .withTableList(new ArrayList<>(List.of(table)))
              .withTargetRootDir(root())
              .withNoChecksumVerify(true)
              .build());
    }
  }

  private void restore(Connection to, String backup, TableName target, boolean overwrite)
      throws IOException {
    restore(to, backup, NAME, target, overwrite);
  }

  private void restore(
      Connection to, String backup, TableName from, TableName target, boolean overwrite)
      throws IOException {
    try (BackupAdminImpl backups = new BackupAdminImpl(to)) {
      backups.restore(
          new RestoreRequest.Builder()
              .withBackupRootDir(root())
              .withBackupId(backup)
              .withFromTables(new TableName[] {from})
              .withToTables(new TableName[] {target})
              .withOvewrite(overwrite)
              .build());
    }
  }

  private String root() {
    return "file://" + directory.resolve("backups");
  }

  private static Put put(String id) {
    return new Put(key(id)).addColumn(D, Q, Bytes.toBytes(id));
  }

  private static byte[] key(String id) {
    return LAYOUT.logicalKey(Values.of("id", id));
  }

  private void write(int from, int to) throws IOException {
    SpreadTable table = tables.open(NAME);
    List<Put> puts = new ArrayList<>();
    for (int i = from; i < to; i++) {
      puts.add(put("id" + i));
    }
    table.put(puts);
  }

  private static Map<String, String> rows(SpreadTables tables, TableName name) throws IOException {
    Map<String, String> rows = new TreeMap<>();
    SpreadTable table = tables.open(name);
    try (ResultScanner scanner = table.scan(KeyRange.all(), new Scan())) {
      for (Result row : scanner) {
        rows.put(Bytes.toString(row.getRow()), Bytes.toString(row.getValue(D, Q)));
      }
    }
    return rows;
  }

  @Test
  void aFullAndAnIncrementalBackupAreRestored() throws Exception {
    write(0, 50);
    String full = backup(BackupType.FULL);
    Map<String, String> first = rows(tables, NAME);
    write(50, 80);
    tables.open(NAME).delete(new Delete(key("id7")));
    String incremental = backup(BackupType.INCREMENTAL);
    Map<String, String> second = rows(tables, NAME);
    assertThat(second).hasSize(79);
    write(80, 90);

    TableName other = TableName.valueOf("other");
    restore(plain, incremental, other, false);
    assertThat(rows(tables, other)).isEqualTo(second);
    isNotRestoredOver(
        plain, full, NAME, "table with a layout cannot be truncated with its regions kept");
    assertThat(rows(tables, NAME)).hasSize(89);
    say(plain, NAME, root() + " " + full);
    restore(plain, full, NAME, true);
    assertThat(rows(tables, NAME)).isEqualTo(first);
    // It was good for one.
    isNotRestoredOver(
        plain, full, NAME, "table with a layout cannot be truncated with its regions kept");
    say(plain, NAME, root() + " " + incremental);
    restore(plain, incremental, NAME, true);
    assertThat(rows(tables, NAME)).isEqualTo(second);
    try (EmbeddedHBase elsewhere = start("elsewhere");
        Connection there = ConnectionFactory.createConnection(jobs(elsewhere));
        SpreadTables restored = SpreadTables.on(there)) {
      restore(there, incremental, NAME, false);
      assertThat(rows(restored, NAME)).isEqualTo(second);
      restored.open(NAME).put(put("later"));
      assertThat(rows(restored, NAME)).containsKey("later");
      try (Table stored = there.getTable(NAME);
          ResultScanner scanner = stored.getScanner(new Scan())) {
        scanner.forEach(row -> assertThat(FittingRows.fits(LAYOUT, row.getRow())).isTrue());
      }
    }
  }

  /** It cannot tell the restore from another truncation, so it says where the rows are. */
  @Test
  void aMasterThatKnowsOfNoBackupsSaysWhereTheRowsOfAnEmptiedTableAre() throws Exception {
    write(0, 50);
    String full = backup(BackupType.FULL);
    Layout layout = Layout.parse("salt(7) + id:string");
    try (EmbeddedHBase elsewhere = EmbeddedHBase.in(directory.resolve("unaware")).start();
        Connection there = ConnectionFactory.createConnection(jobs(elsewhere));
        Admin admin = there.getAdmin();
        SpreadTables theirs = SpreadTables.on(there)) {
      theirs.create(NAME, layout, layout.splits(2), List.of("d"));
      theirs.open(NAME).put(put("there"));
      Logger logger = (Logger) LoggerFactory.getLogger("io.evenkey.server.guard.Truncations");
      ListAppender<ILoggingEvent> logged = new ListAppender<>();
      logged.start();
      logger.addAppender(logged);
      try {
        assertThatThrownBy(() -> restore(there, full, NAME, true))
            .hasStackTraceContaining("its row does not fit the table's layout");
      } finally {
        logger.detachAppender(logged);
      }
      assertThat(rows(theirs, NAME)).isEmpty();
      org.apache.hadoop.fs.Path archive =
          HFileArchiveUtil.getTableArchivePath(there.getConfiguration(), NAME);
      assertThat(logged.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .anyMatch(
              line ->
                  line.contains("table=" + NAME + " layout=" + layout)
                      && line.contains("set hbase.backup.enable on the master")
                      && line.endsWith(archive.toString()));
      // Its rows are loaded again, each region's.
      org.apache.hadoop.fs.Path kept =
          new org.apache.hadoop.fs.Path(directory.resolve("kept").toUri());
      FileSystem files = archive.getFileSystem(there.getConfiguration());
      FileUtil.copy(files, archive, files, kept, false, there.getConfiguration());
      for (FileStatus region : files.listStatus(kept)) {
        BulkLoadHFiles.create(there.getConfiguration()).bulkLoad(NAME, region.getPath());
      }
      assertThat(rows(theirs, NAME)).containsOnlyKeys("there");
      // The first backup here makes HBase's table of backups, by which the master knows of them.
      admin.createNamespace(NamespaceDescriptor.create("backup").build());
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf("backup:system"))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("session"))
              .build());
      isNotRestoredOver(there, full, NAME, "table with a layout cannot be truncated");
      assertThat(rows(theirs, NAME)).containsOnlyKeys("there");
    }
  }

  /** HBase would empty the table before it looks at what it restores. */
  @Test
  void aTableOfAnotherLayoutKeepsItsRows() throws Exception {
    write(0, 50);
    String full = backup(BackupType.FULL);
    TableName other = TableName.valueOf("other");
    Layout layout = Layout.parse("salt(7) + id:string");
    tables.create(other, layout, layout.splits(2), List.of("d"));
    tables.open(other).put(put("there"));
    keepsItsRows(plain, tables, full, other);
    // What HBase does without the regions is no restore.
    try (Admin admin = plain.getAdmin()) {
      admin.disableTable(other);
      admin.truncateTable(other, false);
    }
    assertThat(rows(tables, other)).isEmpty();
    say(plain, other, "once");
    try (Admin admin = plain.getAdmin()) {
      admin.disableTable(other);
      admin.truncateTable(other, true);
    }
    try (EmbeddedHBase elsewhere = start("elsewhere");
        Connection there = ConnectionFactory.createConnection(jobs(elsewhere));
        SpreadTables theirs = SpreadTables.on(there)) {
      theirs.create(NAME, layout, layout.splits(2), List.of("d"));
      theirs.open(NAME).put(put("there"));
      keepsItsRows(there, theirs, full, NAME);
    }
  }

  private void keepsItsRows(Connection to, SpreadTables open, String full, TableName target)
      throws IOException {
    isNotRestoredOver(
        to, full, target, "table with a layout cannot be truncated with its regions kept");
    say(to, target, root() + " " + full + " " + NAME);
    isNotRestoredOver(
        to,
        full,
        target,
        "backup has another layout than the table: table="
            + target
            + " layout=salt(7) + id:string backup="
            + root()
            + " "
            + full
            + " readings its_layout="
            + LAYOUT);
    say(to, target, root() + " backup_1");
    isNotRestoredOver(to, full, target, "backup cannot be read by the master: table=" + target);
    assertThat(rows(open, target)).containsOnlyKeys("there");
  }

  private void isNotRestoredOver(Connection to, String backup, TableName target, String why)
      throws IOException {
    assertThatThrownBy(() -> restore(to, backup, target, true))
        .hasStackTraceContaining(why)
        .hasStackTraceContaining("the table is enabled again");
    try (Admin admin = to.getAdmin()) {
      await().atMost(Duration.ofMinutes(1)).until(() -> admin.isTableAvailable(target));
    }
  }

  /** Says in a table's descriptor what it may be emptied for. */
  private static void say(Connection to, TableName table, String what) throws IOException {
    try (Admin admin = to.getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(table))
              .setValue("EVENKEY_TRUNCATE", what)
              .build());
    }
  }

  /** What comes back has no entries, so its index is not read until it is repaired. */
  @Test
  void aTableWithAnIndexIsRestored() throws Exception {
    write(0, 50);
    TableIndex index =
        TableIndex.parse("by_q events joining as \"q:string + id:string\" from q=d:q");
    try (Registry registry = Registry.open(plain.getConfiguration());
        Admin admin = plain.getAdmin()) {
      new IndexAddition(NAME, index, 0, 0).run(plain, registry, IndexListener.NONE);
      assertThat(indexed()).isEqualTo(50);
      String full = backup(BackupType.FULL);
      write(50, 60);
      tables.open(NAME).delete(new Delete(key("id7")));
      String incremental = backup(BackupType.INCREMENTAL);

      say(plain, NAME, root() + " " + full);
      restore(plain, full, NAME, true);
      isReadAfterRepair(registry, 50);
      TableName other = TableName.valueOf("other");
      restore(plain, incremental, other, false);
      assertThat(rows(tables, other)).hasSize(59);
      assertThat(TableLayout.indexes(admin.getDescriptor(other)).list()).isEmpty();
      admin.disableTable(NAME);
      admin.deleteTable(NAME);
      restore(plain, incremental, NAME, false);
      isReadAfterRepair(registry, 59);
    }
  }

  private void isReadAfterRepair(Registry registry, int rows) throws IOException {
    assertThat(rows(tables, NAME)).hasSize(rows);
    assertThatThrownBy(this::indexed).hasMessageContaining("index that is not read now");
    assertThat(
            IndexVerification.run(plain, registry, NAME, "by_q", true, IndexListener.NONE)
                .isComplete())
        .isTrue();
    assertThat(indexed()).isEqualTo(rows);
  }

  private int indexed() throws IOException {
    int read = 0;
    try (KeyedRows found = tables.open(NAME).select().by("by_q").open()) {
      for (KeyedRow row : found) {
        assertThat(row.getString("q")).isEqualTo(row.getString("id"));
        read++;
      }
    }
    return read;
  }

  /**
   * In the middle of a migration the table is not emptied; a backup of it is of a table at rest.
   */
  @Test
  void aTableThatIsMigratedIsBackedUpAndNotRestoredOver() throws Exception {
    write(0, 50);
    String before = backup(BackupType.FULL);
    MigrationSettings settings =
        MigrationSettings.in(new org.apache.hadoop.fs.Path(directory.toUri()));
    try (Registry registry = Registry.open(plain.getConfiguration())) {
      MigrationPlan plan =
          MigrationPlan.of(NAME, Layout.parse("salt(8) + id:string")).aimFor(Stage.READY);
      try (Migrator migrator =
          Migrator.begin(plain, registry, plan, settings, MigrationListener.NONE)) {
        migrator.run();
      }
      write(50, 60);
      isNotRestoredOver(plain, before, NAME, "table that is being migrated cannot be truncated");
      assertThat(rows(tables, NAME)).hasSize(60);
      String during = backup(BackupType.FULL);
      TableName other = TableName.valueOf("other");
      restore(plain, during, other, false);
      assertThat(rows(tables, other)).hasSize(60);
      TableName generation;
      try (Migrator migrator =
          Migrator.resume(plain, registry, NAME, settings, MigrationListener.NONE)) {
        migrator.aimFor(Stage.FINISHED);
        generation = migrator.run().generation();
      }
      write(60, 65);
      String after = backup(BackupType.FULL, generation);
      TableName restored = TableName.valueOf("of_generation");
      restore(plain, after, generation, restored, false);
      assertThat(rows(tables, restored)).hasSize(65);
      tables.open(restored).put(put("later"));
      assertThat(rows(tables, restored)).hasSize(66);
      assertThat(rows(tables, NAME)).hasSize(65);
      // The master's log says that the generation is not in use; HBase's tool does not.
      assertThatThrownBy(() -> backup(BackupType.FULL))
          .hasStackTraceContaining("Failed to snapshot table " + NAME);
      isNotRestoredOver(plain, before, NAME, "table that is being migrated cannot be truncated");
      assertThat(rows(tables, NAME)).hasSize(65);
      try (Migrator migrator =
          Migrator.rename(plain, registry, NAME, settings, MigrationListener.NONE)) {
        migrator.run();
      }
      say(plain, NAME, root() + " " + before);
      isNotRestoredOver(plain, before, NAME, "its_layout=" + LAYOUT);
      assertThat(rows(tables, NAME)).hasSize(65);
    }
  }
}
