/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static io.evenkey.jobs.migration.LoadedTable.ROWS;
import static io.evenkey.jobs.migration.LoadedTable.TO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.guard.GuardQuestion;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.jobs.guard.GuardControl;
import io.evenkey.jobs.index.IndexAddition;
import io.evenkey.jobs.index.IndexListener;
import io.evenkey.jobs.index.IndexReport;
import io.evenkey.jobs.index.IndexVerification;
import io.evenkey.jobs.index.UnguardedWrites;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.server.guard.DescriptorGuard;
import io.evenkey.server.guard.LayoutGuard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Regions are open without the guard for a time, in the middle of a migration. */
@Tag("long")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class UnguardedServerIT {
  private static final TableName NAME = TableName.valueOf("unguarded");

  @TempDir private Path directory;

  /** Without the guard, but in the master: a table names it. */
  private EmbeddedHBase hbase() throws IOException {
    return EmbeddedHBase.in(directory.resolve("hbase"))
        .servers(1)
        .guard(false)
        .settings(Map.of("hbase.coprocessor.master.classes", DescriptorGuard.class.getName()))
        .start();
  }

  private MigrationSettings settings() {
    return new MigrationSettings(
        new org.apache.hadoop.fs.Path(directory.resolve("work").toUri()), 10_000);
  }

  private static void guard(Admin admin, boolean loaded) throws IOException {
    guard(admin, NAME, loaded);
  }

  private static void guard(Admin admin, TableName table, boolean loaded) throws IOException {
    TableDescriptor now = admin.getDescriptor(table);
    TableDescriptorBuilder next = TableDescriptorBuilder.newBuilder(now);
    admin.modifyTable(
        (loaded
                ? next.setCoprocessor(LayoutGuard.class.getName())
                : next.removeCoprocessor(LayoutGuard.class.getName()))
            .build());
  }

  private static void write(Connection plain, int from, int to) throws IOException {
    try (Connection client = LoadedTable.client(plain);
        Table table = client.getTable(NAME)) {
      for (int i = from; i < to; i++) {
        table.put(LoadedTable.put(i));
      }
    }
  }

  private static int guardedSince(Connection plain) throws IOException {
    try (GuardControl guard = GuardControl.open(plain)) {
      return guard.ask(NAME, 0).guarded().pass();
    }
  }

  @Test
  void rowsThatAreWrittenThereAreComparedAgain() throws Exception {
    try (EmbeddedHBase hbase = hbase();
        Admin admin = hbase.connection().getAdmin();
        Registry registry = Registry.open(hbase.connection().getConfiguration())) {
      Connection plain = hbase.connection();
      LoadedTable.create(plain, NAME);
      guard(admin, true);
      assertThat(GuardQuestion.ask(plain, NAME).orElseThrow().guarded()).isEmpty();
      MigrationPlan plan = MigrationPlan.of(NAME, TO).by(Migration.By.PUTS).aimFor(Stage.READY);
      try (Migrator migrator =
          Migrator.begin(plain, registry, plan, settings(), MigrationListener.NONE)) {
        assertThat(migrator.run().stage()).isEqualTo(Stage.READY);
      }
      int began = guardedSince(plain);
      // With the guard, regions may open elsewhere, and be split.
      admin.disableTable(NAME);
      admin.enableTable(NAME);
      admin
          .splitRegionAsync(
              admin.getRegions(NAME).get(0).getEncodedNameAsBytes(),
              Bytes.add(new byte[1], LoadedTable.key(5)))
          .get();
      assertThat(guardedSince(plain)).isEqualTo(began);
      assertThat(UnguardedWrites.problems(plain, registry, NAME)).isEmpty();

      guard(admin, false);
      write(plain, ROWS, ROWS + 50);
      guard(admin, true);
      assertThat(guardedSince(plain)).isGreaterThan(began);
      assertThat(UnguardedWrites.problems(plain, registry, NAME))
          .singleElement(STRING)
          .contains("region was open without the guard during the migration")
          .contains("look at the migration");
      try (Migrator migrator =
          Migrator.resume(plain, registry, NAME, settings(), MigrationListener.NONE)) {
        migrator.aimFor(Stage.FINISHED);
        assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
      }
      int rows = 0;
      try (Connection client = LoadedTable.client(plain);
          Table table = client.getTable(NAME);
          ResultScanner scanner = table.getScanner(new Scan())) {
        for (Result row : scanner) {
          rows += row.size();
        }
      }
      assertThat(rows).isEqualTo(ROWS + 50);
    }
  }

  /** The rows from ROWS on, by HBase's own client, while regions have no guard. */
  private static void writeUnguarded(Connection plain, Admin admin, int rows) throws IOException {
    guard(admin, false);
    try (Table table = plain.getTable(NAME)) {
      for (int i = ROWS; i < ROWS + rows; i++) {
        Put stored = new Put(LoadedTable.FROM.physical(LoadedTable.key(i)));
        table.put(stored.addColumn(LoadedTable.D, Bytes.toBytes("e"), LoadedTable.D));
      }
    }
    guard(admin, true);
  }

  /** Lets regions be without the guard when the last pass has compared a row. */
  private static final class GapInThePause implements MigrationListener {
    private final Connection plain;
    private final Admin admin;
    private boolean paused;
    private boolean made;

    GapInThePause(Connection plain, Admin admin) {
      this.plain = plain;
      this.admin = admin;
    }

    @Override
    public void stage(Migration migration) {
      // Not of interest.
    }

    @Override
    public void pausing(Duration expected) {
      try {
        // Which the last pass is to compare.
        write(plain, 0, 1);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      paused = true;
    }

    @Override
    public void progress(double share, long rows) {
      if (paused && !made) {
        made = true;
        try {
          writeUnguarded(plain, admin, 50);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  @Test
  void rowsThatAreWrittenThereDuringTheWritePauseAreComparedAgain() throws Exception {
    try (EmbeddedHBase hbase = hbase();
        Admin admin = hbase.connection().getAdmin();
        Registry registry = Registry.open(hbase.connection().getConfiguration())) {
      Connection plain = hbase.connection();
      LoadedTable.create(plain, NAME);
      guard(admin, true);
      MigrationPlan plan = MigrationPlan.of(NAME, TO).by(Migration.By.PUTS).aimFor(Stage.FINISHED);
      GapInThePause gap = new GapInThePause(plain, admin);
      try (Migrator migrator = Migrator.begin(plain, registry, plan, settings(), gap)) {
        assertThatThrownBy(migrator::run)
            .hasMessageContaining("region was open without the guard while writes were marked");
      }
      assertThat(gap.made).isTrue();
      try (Migrator migrator =
          Migrator.resume(plain, registry, NAME, settings(), MigrationListener.NONE)) {
        assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
      }
      int rows = 0;
      try (Connection client = LoadedTable.client(plain);
          Table table = client.getTable(NAME);
          ResultScanner scanner = table.getScanner(new Scan())) {
        while (scanner.next() != null) {
          rows++;
        }
      }
      assertThat(rows).isEqualTo(ROWS + 50);
    }
  }

  @Test
  void rowsThatAreWrittenIntoTheGenerationThatWasLeftAreReported() throws Exception {
    try (EmbeddedHBase hbase = hbase();
        Admin admin = hbase.connection().getAdmin();
        Registry registry = Registry.open(hbase.connection().getConfiguration())) {
      Connection plain = hbase.connection();
      LoadedTable.create(plain, NAME);
      guard(admin, true);
      MigrationPlan plan = MigrationPlan.of(NAME, TO).by(Migration.By.PUTS).aimFor(Stage.SWITCHED);
      try (Migrator migrator =
          Migrator.begin(plain, registry, plan, settings(), MigrationListener.NONE)) {
        migrator.run();
      }
      admin.disableTable(NAME);
      admin.enableTable(NAME);
      assertThat(UnguardedWrites.problems(plain, registry, NAME)).isEmpty();
      writeUnguarded(plain, admin, 1);
      assertThat(UnguardedWrites.problems(plain, registry, NAME))
          .singleElement(STRING)
          .contains("generation that is not in use was open without the guard")
          .contains("in_use=unguarded.g2")
          .contains("compare the table with the clone");
      try (Migrator migrator =
          Migrator.resume(plain, registry, NAME, settings(), MigrationListener.NONE)) {
        migrator.aimFor(Stage.FINISHED);
        migrator.run();
      }
      // It would drop these rows.
      assertThatThrownBy(
              () -> Migrator.rename(plain, registry, NAME, settings(), MigrationListener.NONE))
          .hasMessageContaining("generation that the renaming drops was open without the guard");
    }
  }

  @Test
  void aRollbackComparesAllRowsIfTheGenerationThatWasLeftHadNoGuard() throws Exception {
    try (EmbeddedHBase hbase = hbase();
        Admin admin = hbase.connection().getAdmin();
        Registry registry = Registry.open(hbase.connection().getConfiguration())) {
      Connection plain = hbase.connection();
      LoadedTable.create(plain, NAME);
      guard(admin, true);
      MigrationPlan plan = MigrationPlan.of(NAME, TO).by(Migration.By.PUTS).aimFor(Stage.SWITCHED);
      try (Migrator migrator =
          Migrator.begin(plain, registry, plan, settings(), MigrationListener.NONE)) {
        migrator.run();
      }
      write(plain, ROWS, ROWS + 1);
      List<String> rows = rows(plain);
      assertThat(rows).hasSize(ROWS + 1);
      writeUnguarded(plain, admin, 50);
      assertThat(rows(plain)).isEqualTo(rows);
      try (Migrator migrator =
          Migrator.resume(plain, registry, NAME, settings(), MigrationListener.NONE)) {
        migrator.aimFor(Stage.ROLLED_BACK);
        assertThatThrownBy(migrator::run)
            .isInstanceOf(MigrationException.class)
            .hasMessageContaining(
                "generation that is used again was open without the guard while it was not in use:"
                    + " table=unguarded generation=unguarded in_use=unguarded.g2")
            .hasMessageContaining("take a snapshot of it, named closed-…");
      }
      assertThat(rows(plain)).isEqualTo(rows);
      admin.snapshot("closed-unguarded", NAME);
      try (Migrator migrator =
          Migrator.resume(plain, registry, NAME, settings(), MigrationListener.NONE)) {
        assertThat(migrator.run().stage()).isEqualTo(Stage.ROLLED_BACK);
      }
      assertThat(rows(plain)).isEqualTo(rows);
      write(plain, ROWS + 1, ROWS + 2);
      assertThat(rows(plain)).hasSize(ROWS + 2);
    }
  }

  @Test
  void aRollbackEndsIfTheGenerationThatWasLeftHasNoGuardDuringItsLastPass() throws Exception {
    try (EmbeddedHBase hbase = hbase();
        Admin admin = hbase.connection().getAdmin();
        Registry registry = Registry.open(hbase.connection().getConfiguration())) {
      Connection plain = hbase.connection();
      LoadedTable.create(plain, NAME);
      guard(admin, true);
      MigrationPlan plan = MigrationPlan.of(NAME, TO).by(Migration.By.PUTS).aimFor(Stage.SWITCHED);
      try (Migrator migrator =
          Migrator.begin(plain, registry, plan, settings(), MigrationListener.NONE)) {
        migrator.run();
      }
      List<String> rows = rows(plain);
      GapInThePause gap = new GapInThePause(plain, admin);
      try (Migrator migrator = Migrator.resume(plain, registry, NAME, settings(), gap)) {
        migrator.aimFor(Stage.ROLLED_BACK);
        assertThatThrownBy(migrator::run)
            .hasMessageContaining("generation that is not in use was open without the guard");
      }
      assertThat(gap.made).isTrue();
      assertThat(rows(plain)).hasSameSizeAs(rows);
      admin.snapshot("closed-unguarded", NAME);
      try (Migrator migrator =
          Migrator.resume(plain, registry, NAME, settings(), MigrationListener.NONE)) {
        assertThat(migrator.run().stage()).isEqualTo(Stage.ROLLED_BACK);
      }
      assertThat(rows(plain)).hasSameSizeAs(rows);
    }
  }

  @Test
  void rowsThatAreWrittenThereBeforeTheTargetIsMarkedAreComparedOnTheWayBack() throws Exception {
    try (EmbeddedHBase hbase = hbase();
        Admin admin = hbase.connection().getAdmin();
        Registry registry = Registry.open(hbase.connection().getConfiguration())) {
      Connection plain = hbase.connection();
      LoadedTable.create(plain, NAME);
      guard(admin, true);
      MigrationPlan plan = MigrationPlan.of(NAME, TO).by(Migration.By.PUTS).aimFor(Stage.SWITCHED);
      MigrationListener gap =
          new MigrationListener() {
            @Override
            public void stage(Migration migration) {
              if (migration.stage() == Stage.SWITCHING) {
                try {
                  guard(admin, migration.target(), false);
                  try (Table target = plain.getTable(migration.target())) {
                    target.put(
                        new Put(TO.physical(LoadedTable.key(ROWS)))
                            .addColumn(LoadedTable.D, Bytes.toBytes("e"), LoadedTable.D));
                  }
                  guard(admin, migration.target(), true);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            }

            @Override
            public void progress(double share, long rows) {
              // Not of interest.
            }
          };
      try (Migrator migrator = Migrator.begin(plain, registry, plan, settings(), gap)) {
        migrator.run();
      }
      List<String> rows = rows(plain);
      assertThat(rows).hasSize(ROWS + 1);
      try (Migrator migrator =
          Migrator.resume(plain, registry, NAME, settings(), MigrationListener.NONE)) {
        migrator.aimFor(Stage.ROLLED_BACK);
        assertThat(migrator.run().stage()).isEqualTo(Stage.ROLLED_BACK);
      }
      assertThat(rows(plain)).isEqualTo(rows);
    }
  }

  /** HBase links the half that gets a whole file to it, where it gives each its part otherwise. */
  @Test
  void rowsThatAreWrittenThereAreComparedAgainAfterASplit() throws Exception {
    try (EmbeddedHBase hbase = hbase();
        Admin admin = hbase.connection().getAdmin();
        Registry registry = Registry.open(hbase.connection().getConfiguration())) {
      Connection plain = hbase.connection();
      LoadedTable.create(plain, NAME);
      guard(admin, true);
      MigrationPlan plan = MigrationPlan.of(NAME, TO).by(Migration.By.PUTS).aimFor(Stage.READY);
      try (Migrator migrator =
          Migrator.begin(plain, registry, plan, settings(), MigrationListener.NONE)) {
        migrator.run();
      }
      int began = guardedSince(plain);
      writeUnguarded(plain, admin, 50);
      // All rows of each region are in the lower half.
      for (RegionInfo region : admin.getRegions(NAME)) {
        byte bucket = (byte) (region.getStartKey().length == 0 ? 1 : 3);
        admin.splitRegionAsync(region.getEncodedNameAsBytes(), new byte[] {bucket, 'z'}).get();
      }
      assertThat(admin.getRegions(NAME)).hasSize(4);
      assertThat(guardedSince(plain)).isGreaterThan(began);
      try (Migrator migrator =
          Migrator.resume(plain, registry, NAME, settings(), MigrationListener.NONE)) {
        migrator.aimFor(Stage.FINISHED);
        migrator.run();
      }
      assertThat(rows(plain)).hasSize(ROWS + 50);
    }
  }

  /** It looks like a region that was open without the guard. */
  @Test
  void aTableWhoseRegionsAreMergedDuringTheMigrationIsComparedAgain() throws Exception {
    try (EmbeddedHBase hbase = hbase();
        Admin admin = hbase.connection().getAdmin();
        Registry registry = Registry.open(hbase.connection().getConfiguration())) {
      Connection plain = hbase.connection();
      LoadedTable.create(plain, NAME);
      guard(admin, true);
      MigrationPlan plan =
          MigrationPlan.of(NAME, TO).by(Migration.By.PUTS).aimFor(Stage.READY).regions(3);
      TableName next;
      try (Migrator migrator =
          Migrator.begin(plain, registry, plan, settings(), MigrationListener.NONE)) {
        next = migrator.run().target();
      }
      merge(admin, NAME);
      write(plain, ROWS, ROWS + 1);
      assertThat(UnguardedWrites.problems(plain, registry, NAME))
          .singleElement(STRING)
          .contains("or two were merged");
      try (Migrator migrator =
          Migrator.resume(plain, registry, NAME, settings(), MigrationListener.NONE)) {
        migrator.aimFor(Stage.SWITCHED);
        assertThat(migrator.run().stage()).isEqualTo(Stage.SWITCHED);
      }
      assertThat(rows(plain)).hasSize(ROWS + 1);
      merge(admin, next);
      write(plain, ROWS + 1, ROWS + 2);
      try (Migrator migrator =
          Migrator.resume(plain, registry, NAME, settings(), MigrationListener.NONE)) {
        migrator.aimFor(Stage.ROLLED_BACK);
        assertThat(migrator.run().stage()).isEqualTo(Stage.ROLLED_BACK);
      }
      assertThat(rows(plain)).hasSize(ROWS + 2);
    }
  }

  /** Merges the first two regions. */
  private static void merge(Admin admin, TableName table) throws Exception {
    List<RegionInfo> regions = admin.getRegions(table);
    admin
        .mergeRegionsAsync(
            new byte[][] {
              regions.get(0).getEncodedNameAsBytes(), regions.get(1).getEncodedNameAsBytes()
            },
            true)
        .get();
  }

  /** Each cell that clients read, as text. */
  private static List<String> rows(Connection plain) throws IOException {
    List<String> cells = new ArrayList<>();
    try (Connection client = LoadedTable.client(plain);
        Table table = client.getTable(NAME);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row : scanner) {
        for (Cell cell : row.rawCells()) {
          cells.add(cell + "=" + Bytes.toStringBinary(CellUtil.cloneValue(cell)));
        }
      }
    }
    return cells;
  }

  private static final Layout STEPLESS = Layout.parse("salt(4) + no:int64");
  private static final Layout STEP = Layout.parse("salt(4; 8 from no 1000) + no:int64");

  /** Its place differs in the two layouts. */
  private static final byte[] BEYOND = beyond();

  private static byte[] beyond() {
    for (long number = 1000; ; number++) {
      byte[] key = Bytes.toBytes(number ^ Long.MIN_VALUE);
      if (!Arrays.equals(STEPLESS.physical(key), STEP.physical(key))) {
        return key;
      }
    }
  }

  /** Takes a step, while a server without the guard takes a row at or after it. */
  private Migrator step(
      Connection plain, Admin admin, Registry registry, TableName table, Layout... writers)
      throws IOException {
    try (SpreadTables tables = SpreadTables.on(plain)) {
      tables.create(table, STEPLESS, STEPLESS.splits(2), List.of("d"));
    }
    guard(admin, table, true);
    MigrationListener gap =
        new MigrationListener() {
          @Override
          public void stage(Migration migration) {
            if (migration.stage() == Stage.CLOSING && migration.goal() == Stage.FINISHED) {
              try {
                guard(admin, table, false);
                try (Table open = plain.getTable(table)) {
                  for (Layout writer : writers) {
                    open.put(
                        new Put(writer.physical(BEYOND))
                            .addColumn(LoadedTable.D, LoadedTable.D, LoadedTable.D));
                  }
                }
                guard(admin, table, true);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }
          }

          @Override
          public void progress(double share, long rows) {
            // Not of interest.
          }
        };
    return Migrator.begin(plain, registry, MigrationPlan.of(table, STEP), settings(), gap);
  }

  private static boolean isFound(Connection plain, TableName table) throws IOException {
    try (Connection client = LoadedTable.client(plain);
        Table open = client.getTable(table)) {
      return open.exists(new Get(BEYOND));
    }
  }

  @Test
  void rowsThatAreWrittenThereBeyondAStepAreFoundBeforeTheLayoutChanges() throws Exception {
    try (EmbeddedHBase hbase = hbase();
        Admin admin = hbase.connection().getAdmin();
        Registry registry = Registry.open(hbase.connection().getConfiguration())) {
      Connection plain = hbase.connection();
      TableName none = TableName.valueOf("none");
      try (Migrator migrator = step(plain, admin, registry, none)) {
        assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
      }
      TableName earlier = TableName.valueOf("earlier");
      try (Migrator migrator = step(plain, admin, registry, earlier, STEPLESS)) {
        assertThatThrownBy(migrator::run)
            .isInstanceOf(MigrationException.class)
            .hasMessageContaining("written without the guard while it was taken: first=")
            .hasMessageContaining("the earliest value that works now is");
      }
      assertThat(registry.migrations().get(earlier).orElseThrow().value().stage())
          .isEqualTo(Stage.ROLLED_BACK);
      assertThat(isFound(plain, earlier)).isTrue();
      TableName later = TableName.valueOf("later");
      try (Migrator migrator = step(plain, admin, registry, later, STEP)) {
        assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
      }
      assertThat(isFound(plain, later)).isTrue();
      TableName both = TableName.valueOf("both");
      try (Migrator migrator = step(plain, admin, registry, both, STEPLESS, STEP)) {
        assertThatThrownBy(migrator::run)
            .hasMessageContaining("the layout before the step does not find them")
            .hasMessageContaining("finish the migration")
            .satisfies(why -> assertThat(why.getSuppressed()).hasSize(1));
      }
      assertThat(registry.migrations().get(both).orElseThrow().value().stage())
          .isEqualTo(Stage.CLOSING);
    }
  }

  @Test
  void rowsWithoutEntriesAreReportedUntilTheIndexIsRepaired() throws Exception {
    try (EmbeddedHBase hbase = hbase();
        Admin admin = hbase.connection().getAdmin();
        Registry registry = Registry.open(hbase.connection().getConfiguration())) {
      Connection plain = hbase.connection();
      LoadedTable.create(plain, NAME);
      guard(admin, true);
      TableIndex index =
          TableIndex.parse("by_e events joining as \"salt(2) + e:string\" from e=d:e");
      new IndexAddition(NAME, index, 0, 0).run(plain, registry, IndexListener.NONE);
      admin.disableTable(NAME);
      admin.enableTable(NAME);
      assertThat(UnguardedWrites.problems(plain, registry, NAME)).isEmpty();

      guard(admin, false);
      try (Table table = plain.getTable(NAME)) {
        table.put(
            new Put(LoadedTable.FROM.physical(LoadedTable.key(ROWS)))
                .addColumn(LoadedTable.D, Bytes.toBytes("e"), LoadedTable.D));
      }
      guard(admin, true);
      assertThat(UnguardedWrites.problems(plain, registry, NAME))
          .singleElement(STRING)
          .contains("open without the guard since the index was verified")
          .contains("index=by_e", "verify and repair the index");
      IndexReport report =
          IndexVerification.run(plain, registry, NAME, "by_e", true, IndexListener.NONE);
      assertThat(report.added()).isEqualTo(1);
      assertThat(UnguardedWrites.problems(plain, registry, NAME)).isEmpty();
    }
  }
}
