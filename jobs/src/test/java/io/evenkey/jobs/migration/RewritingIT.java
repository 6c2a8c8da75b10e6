/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.compare.Cells;
import io.evenkey.jobs.migration.MigrationPlan.Rewriting;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Steps of salts at which rows are stored already: these rows are moved, on a real HBase. */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class RewritingIT extends MigrationFixture {
  private static final byte[] D = Bytes.toBytes("d");
  private static final String BEFORE = "salt(4) + no:int64 + device:string";
  private static final String AFTER = "salt(4; 8 from no 1000000) + no:int64 + device:string";
  private static final String BACK =
      "salt(4; 8 from no 1000000, 4 from no 1000010) + no:int64 + device:string";
  private static final int ROWS = 30;

  private SpreadTable create(String line) throws IOException {
    Layout layout = Layout.parse(line);
    return tables.create(name, layout, layout.splits(2), List.of("d"));
  }

  private static byte[] key(long number) {
    return Layout.parse(BEFORE)
        .logicalKey(Values.of(Map.of("no", number, "device", "d" + number % 7)));
  }

  private static Put put(long number) {
    return new Put(key(number)).addColumn(D, D, Bytes.toBytes(number));
  }

  /** As many rows before the step as at or after it, of which the last one is deleted. */
  private SpreadTable filled() throws IOException {
    SpreadTable table = create(BEFORE);
    for (long number = StepTraffic.STEP - ROWS; number < StepTraffic.STEP + ROWS; number++) {
      table.put(put(number));
    }
    table.delete(new Delete(key(StepTraffic.STEP + ROWS - 1)));
    flush(name);
    return table;
  }

  private void flush(TableName generation) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      admin.flush(generation);
    }
  }

  private Migrator begin(String line, Migration.By by, MigrationListener listener)
      throws IOException {
    MigrationPlan plan =
        MigrationPlan.of(name, Layout.parse(line))
            .by(by)
            .aimFor(Stage.FINISHED)
            .rewriting(Rewriting.FROM_STEP);
    return Migrator.begin(plain, registry, plan, settings(), listener);
  }

  private Migration rewrite(String line) throws IOException {
    try (Migrator migrator = begin(line, Migration.By.FILES, MigrationListener.NONE)) {
      return migrator.run();
    }
  }

  private TableDescriptor descriptor(TableName generation) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return admin.getDescriptor(generation);
    }
  }

  private List<Long> numbers(Scan scan) throws IOException {
    List<Long> numbers = new ArrayList<>();
    try (Connection client = LoadedTable.client(plain);
        Table table = client.getTable(name);
        ResultScanner rows = table.getScanner(scan)) {
      for (Result row : rows) {
        numbers.add((Long) Layout.parse(AFTER).decodeLogical(row.getRow()).get("no"));
      }
    }
    return numbers;
  }

  private static List<Long> written() {
    List<Long> numbers = new ArrayList<>();
    for (long number = StepTraffic.STEP - ROWS; number < StepTraffic.STEP + ROWS - 1; number++) {
      numbers.add(number);
    }
    return numbers;
  }

  @Tag("long")
  @Test
  void rowsAtOrAfterAStepOfThePastAreMovedUnderTraffic() throws Exception {
    moveUnderTraffic(BEFORE, AFTER, Migration.By.FILES);
  }

  @Tag("deep")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        BEFORE + "|" + AFTER + "|PUTS",
        "salt(4, device) + device:string + no:int64 desc"
            + "|salt(4, device; 8 from no 1000000) + device:string + no:int64 desc|SNAPSHOT"
      })
  void rowsAreMovedByOtherWaysOfTheCopyToo(String before, String line, Migration.By by)
      throws Exception {
    moveUnderTraffic(before, line, by);
  }

  private void moveUnderTraffic(String before, String line, Migration.By by) throws Exception {
    create(before);
    try (StepTraffic traffic = new StepTraffic(plain, name, Layout.parse(line))) {
      traffic.goBeyond();
      traffic.start(1);
      traffic.start(2);
      await().atMost(Duration.ofMinutes(1)).until(() -> traffic.writes() > 300);
      flush(name);
      Migration ended;
      try (Migrator migrator = begin(line, by, MigrationListener.NONE)) {
        ended = migrator.run();
      }
      assertThat(ended.stage()).isEqualTo(Stage.FINISHED);
      assertThat(ended.kind()).isInstanceOf(Kind.StepWithRewriting.class);
      assertThat(ended.work().rows()).isPositive();
      long writes = traffic.writes();
      await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () -> {
                traffic.isWell();
                return traffic.writes() > writes + 200;
              });
      traffic.check();
    }
    TableName next = Migration.next(name, name);
    assertThat(TableLayout.of(descriptor(next))).isEqualTo(Layout.parse(line));
    assertThat(TableGuard.state(descriptor(next)).mode()).isEqualTo(GuardMode.OPEN);
    assertThat(descriptor(next).getValue(GuardState.CLONE_KEY)).isNull();
    assertThat(TableGuard.state(descriptor(name)).mode()).isEqualTo(GuardMode.CLOSED);
    try (Admin admin = plain.getAdmin()) {
      assertThat(admin.getRegions(next)).hasSize(8);
    }
  }

  @Tag("long")
  @Test
  void onlyRowsThatHaveAnotherPlaceAreWritten() throws Exception {
    filled();
    long moved = written().stream().map(RewritingIT::key).filter(key -> !samePlace(key)).count();
    Migration ended = rewrite(AFTER);
    // The deleted row is moved with its tombstone, or stays.
    assertThat(ended.work().rows()).isBetween(moved, moved + 1);
    assertThat(ended.work().repaired()).isZero();
    assertThat(numbers(new Scan())).isEqualTo(written());
  }

  private static boolean samePlace(byte[] key) {
    return Bytes.equals(Layout.parse(BEFORE).physical(key), Layout.parse(AFTER).physical(key));
  }

  @Tag("long")
  @Test
  void aRawScanAfterwardsHasRowsAtTheirOldPlacesAsDeletedOnes() throws Exception {
    filled();
    rewrite(AFTER);
    List<Long> alive = new ArrayList<>();
    int deleted = 0;
    try (Connection client = LoadedTable.client(plain);
        Table table = client.getTable(name);
        ResultScanner rows = table.getScanner(new Scan().setRaw(true))) {
      for (Result row : rows) {
        if (Cells.isDeleted(row)) {
          deleted++;
        } else {
          alive.add((Long) Layout.parse(AFTER).decodeLogical(row.getRow()).get("no"));
        }
      }
    }
    assertThat(alive).isEqualTo(written());
    assertThat(deleted).isPositive();
  }

  @Tag("long")
  @Test
  void aStepWithoutRowsInItsWayIsTakenInPlace() throws Exception {
    create(BEFORE).put(put(1));
    Migration ended = rewrite(AFTER);
    assertThat(ended.kind()).isInstanceOf(Kind.StepInPlace.class);
    assertThat(ended.generation()).isEqualTo(name);
  }

  private void compact(TableName generation) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      admin.flush(generation);
      long before = admin.getLastMajorCompactionTimestamp(generation);
      admin.majorCompact(generation);
      await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () ->
                  admin.getCompactionState(generation) == CompactionState.NONE
                      && admin.getLastMajorCompactionTimestamp(generation) > before);
    }
  }

  @Tag("long")
  @Test
  void tombstonesOfAnEarlierStepRefuseRowsThatWouldBeHiddenByThem() throws Exception {
    filled();
    rewrite(AFTER);
    assertThatThrownBy(() -> rewrite(BACK))
        .isInstanceOf(MigrationException.class)
        .hasMessageContaining("tombstones that an earlier step has left")
        .hasMessageContaining("run major_compact on the table");
    assertThat(numbers(new Scan())).isEqualTo(written());
    try (Migrator migrator =
        Migrator.resume(plain, registry, name, settings(), MigrationListener.NONE)) {
      migrator.aimFor(Stage.ROLLED_BACK);
      migrator.run();
    }
    compact(Migration.next(name, name));
    assertThat(numbers(new Scan())).isEqualTo(written());
    assertThat(rewrite(BACK).stage()).isEqualTo(Stage.FINISHED);
    assertThat(numbers(new Scan())).isEqualTo(written());
  }

  @Tag("long")
  @Test
  void theWayBackHasAllRowsAtTheirOldPlaces() throws Exception {
    filled();
    MigrationPlan plan =
        MigrationPlan.of(name, Layout.parse(AFTER))
            .aimFor(Stage.SWITCHED)
            .rewriting(Rewriting.FROM_STEP);
    try (Migrator migrator =
        Migrator.begin(plain, registry, plan, settings(), MigrationListener.NONE)) {
      migrator.run();
      tables.open(name).put(put(StepTraffic.STEP + ROWS));
      migrator.aimFor(Stage.ROLLED_BACK);
      assertThat(migrator.run().stage()).isEqualTo(Stage.ROLLED_BACK);
    }
    List<Long> all = new ArrayList<>(written());
    all.add(StepTraffic.STEP + ROWS);
    assertThat(numbers(new Scan())).isEqualTo(all);
    try (Admin admin = plain.getAdmin()) {
      assertThat(admin.tableExists(Migration.next(name, name))).isFalse();
    }
  }

  @Tag("long")
  @Test
  void whereverItIsKilledItGoesOn() throws Exception {
    filled();
    Migration migration = null;
    for (int kills = 0; migration == null; kills++) {
      MigrationListener listener = killingAfter(kills);
      try (Migrator migrator =
          kills == 0
              ? begin(AFTER, Migration.By.FILES, listener)
              : Migrator.resume(plain, registry, name, settings(), listener)) {
        migration = migrator.run();
      } catch (Killed e) {
        assertThat(numbers(new Scan())).isEqualTo(written());
      }
    }
    assertThat(migration.stage()).isEqualTo(Stage.FINISHED);
    assertThat(numbers(new Scan())).isEqualTo(written());
  }

  @Test
  void aFamilyThatKeepsWhatWasDeletedIsRefused() throws Exception {
    filled();
    try (Admin admin = plain.getAdmin()) {
      admin.modifyColumnFamily(
          name,
          ColumnFamilyDescriptorBuilder.newBuilder(descriptor(name).getColumnFamily(D))
              .setKeepDeletedCells(KeepDeletedCells.TRUE)
              .build());
    }
    assertThatThrownBy(() -> rewrite(AFTER))
        .isInstanceOf(MigrationException.class)
        .hasMessageContaining("KEEP_DELETED_CELLS=TRUE; have all rows copied");
  }

  @Test
  void anotherChangeOfTheLayoutIsRefused() throws Exception {
    create(BEFORE);
    assertThatThrownBy(() -> rewrite(BEFORE.replace("salt(4)", "salt(8)")))
        .isInstanceOf(MigrationException.class)
        .hasMessageContaining("only a layout that appends a step can leave earlier rows");
  }
}
