/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.guard.OtherWriters;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.Stamp;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps of salts that tables get while they are written to, on a real HBase. */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class StepIT extends MigrationFixture {
  private static final byte[] D = Bytes.toBytes("d");
  private static final String LEADING = "salt(4) + no:int64 + device:string";
  private static final String LEADING_STEP =
      "salt(4; 8 from no 1000000) + no:int64 + device:string";
  private static final String TRAILING = "salt(4, device) + device:string + no:int64 desc";
  private static final String TRAILING_STEP =
      "salt(4, device; 8 from no 1000000) + device:string + no:int64 desc";

  private void create(String line) throws IOException {
    Layout layout = Layout.parse(line);
    tables.create(name, layout, layout.splits(4), List.of("d"));
  }

  private void write(String line, long number) throws IOException {
    Layout layout = Layout.parse(line);
    Put put = new Put(row(layout, number)).addColumn(D, D, Bytes.toBytes(number));
    put.setAttribute(GuardAttributes.LAYOUT, Stamp.of(layout));
    try (Table table = plain.getTable(name)) {
      table.put(put);
    }
  }

  private static byte[] row(Layout layout, long number) {
    return layout.encode(Values.of(Map.of("no", number, "device", "d" + number % 7)));
  }

  private Migrator begin(String line, MigrationListener listener) throws IOException {
    return Migrator.begin(
        plain, registry, MigrationPlan.of(name, Layout.parse(line)), settings(), listener);
  }

  private Migrator resume() throws IOException {
    return Migrator.resume(plain, registry, name, settings(), MigrationListener.NONE);
  }

  private TableDescriptor descriptor() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return admin.getDescriptor(name);
    }
  }

  private static MigrationListener at(Stage stage, Runnable action) {
    return new MigrationListener() {
      @Override
      public void stage(Migration migration) {
        if (migration.stage() == stage) {
          action.run();
        }
      }
    };
  }

  @Tag("ci")
  @ParameterizedTest
  @ValueSource(strings = LEADING_STEP)
  void aStepUnderTrafficRewritesNoCellAndLosesNoRow(String line) throws Exception {
    String before = line.equals(LEADING_STEP) ? LEADING : TRAILING;
    create(before);
    try (StepTraffic traffic = new StepTraffic(plain, name, Layout.parse(line))) {
      traffic.start(1);
      traffic.start(2);
      await().atMost(Duration.ofMinutes(1)).until(() -> traffic.writes() > 200);
      try (Migrator migrator = begin(line, at(Stage.CLOSING, traffic::goBeyond))) {
        Migration ended = migrator.run();
        assertThat(ended.stage()).isEqualTo(Stage.FINISHED);
        assertThat(ended.generation()).isEqualTo(name);
      }
      long writes = traffic.writes();
      await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () -> {
                traffic.isWell();
                return traffic.writes() > writes + 400;
              });
      traffic.check();
    }
    assertThat(TableLayout.of(descriptor())).isEqualTo(Layout.parse(line));
    assertThat(descriptor().getValue(GuardState.STEP_KEY)).isNull();
    assertThat(TableGuard.state(descriptor()).mode()).isEqualTo(GuardMode.OPEN);
    try (Admin admin = plain.getAdmin()) {
      assertThat(admin.getRegions(name)).hasSize(8);
      long compacted = 0;
      for (ServerName server : admin.getRegionServers()) {
        for (RegionMetrics region : admin.getRegionMetrics(server, name)) {
          compacted += region.getCompactedCellCount();
        }
      }
      assertThat(compacted).as("cells that HBase has rewritten").isZero();
      assertThat(admin.tableExists(TableName.valueOf(name.getNameAsString() + ".g2"))).isFalse();
    }
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = TRAILING_STEP)
  void aStepOfATrailingFieldUnderTrafficLosesNoRowEither(String line) throws Exception {
    aStepUnderTrafficRewritesNoCellAndLosesNoRow(line);
  }

  private static MigrationListener killing(Stage stage) {
    return at(
        stage,
        () -> {
          throw new Killed();
        });
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(
      value = Stage.class,
      names = {"PREPARING", "VERIFYING", "CLOSING", "SWITCHING"})
  void aStepThatIsKilledIsResumed(Stage stage) throws Exception {
    create(LEADING);
    write(LEADING, 1);
    try (Migrator migrator = begin(LEADING_STEP, killing(stage))) {
      assertThatThrownBy(migrator::run).isInstanceOf(Killed.class);
    }
    // Rows before the step are written meanwhile, by whichever layout the guard names.
    write(LEADING_STEP.equals(line()) ? LEADING_STEP : LEADING, 2);
    try (Migrator migrator = resume()) {
      assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
    }
    write(LEADING_STEP, StepTraffic.STEP);
    assertThatThrownBy(() -> write(LEADING, StepTraffic.STEP + 1))
        .hasMessageContaining("[evenkey:layout]");
    assertThat(line()).isEqualTo(LEADING_STEP);
  }

  private String line() throws IOException {
    return String.valueOf(TableLayout.of(descriptor()));
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(
      value = Stage.class,
      names = {"PREPARING", "VERIFYING", "CLOSING"})
  void aStepThatIsKilledIsRolledBack(Stage stage) throws Exception {
    create(LEADING);
    try (Migrator migrator = begin(LEADING_STEP, killing(stage))) {
      assertThatThrownBy(migrator::run).isInstanceOf(Killed.class);
    }
    try (Migrator migrator = resume()) {
      migrator.aimFor(Stage.ROLLED_BACK);
      assertThat(migrator.run().stage()).isEqualTo(Stage.ROLLED_BACK);
    }
    assertThat(line()).isEqualTo(LEADING);
    write(LEADING, StepTraffic.STEP);
    assertThatThrownBy(() -> write(LEADING_STEP, 1)).hasMessageContaining("[evenkey:layout]");
    // And is taken later, from another number on.
    String later = LEADING_STEP.replace("1000000", "1000001");
    try (Migrator migrator = begin(later, MigrationListener.NONE)) {
      assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
    }
  }

  @Tag("long")
  @Test
  void thereIsNoWayBackOnceRowsAfterTheStepMayBeWritten() throws Exception {
    create(LEADING);
    try (Migrator migrator = begin(LEADING_STEP, killing(Stage.SWITCHING))) {
      assertThatThrownBy(migrator::run).isInstanceOf(Killed.class);
    }
    try (Migrator migrator = resume()) {
      assertThatThrownBy(() -> migrator.aimFor(Stage.ROLLED_BACK))
          .isInstanceOf(MigrationException.class)
          .hasMessageContaining("rows after the step may be written");
      migrator.run();
    }
  }

  @Test
  void rowsAtOrAfterTheStepAreRefusedWhileItIsTakenAndOthersAreNot() throws Exception {
    create(LEADING);
    try (Migrator migrator = begin(LEADING_STEP, killing(Stage.CLOSING))) {
      assertThatThrownBy(migrator::run).isInstanceOf(Killed.class);
    }
    write(LEADING, StepTraffic.STEP - 1);
    assertThatThrownBy(() -> write(LEADING, StepTraffic.STEP))
        .hasMessageContaining("[evenkey:fenced]");
    try (Migrator migrator = resume()) {
      migrator.run();
    }
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = TRAILING_STEP)
  void rowsBeyondTheStepRefuseItWithTheFirstAndWithAValueThatWorks(String line) throws Exception {
    String before = line.equals(LEADING_STEP) ? LEADING : TRAILING;
    create(before);
    for (long number = 0; number < 30; number++) {
      write(before, StepTraffic.STEP - 10 + number);
    }
    assertThatThrownBy(() -> begin(line, MigrationListener.NONE))
        .isInstanceOf(MigrationException.class)
        .hasMessageContaining("rows at or after the step are stored already")
        .hasMessageContaining("no=1000000")
        .hasMessageContaining("highest=1000019; the earliest value that works now is 1100000");
    assertThat(registry.migrations().get(name)).isEmpty();
    try (Migrator migrator = begin(line.replace("1000000", "1000020"), MigrationListener.NONE)) {
      assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
    }
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = LEADING_STEP)
  void rowsBeyondAStepOfALeadingFieldRefuseItToo(String line) throws Exception {
    rowsBeyondTheStepRefuseItWithTheFirstAndWithAValueThatWorks(line);
  }

  @Tag("long")
  @Test
  void aRowThatIsWrittenAfterTheFirstLookIsFoundWhenRowsAreHeld() throws Exception {
    create(LEADING);
    MigrationListener late =
        at(
            Stage.VERIFYING,
            () -> {
              try {
                write(LEADING, StepTraffic.STEP + 5);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    try (Migrator migrator = begin(LEADING_STEP, late)) {
      assertThatThrownBy(migrator::run)
          .isInstanceOf(MigrationException.class)
          .hasMessageContaining("no=1000005");
    }
    assertThat(registry.migrations().get(name).orElseThrow().value().stage())
        .isEqualTo(Stage.ROLLED_BACK);
    assertThat(line()).isEqualTo(LEADING);
    write(LEADING, StepTraffic.STEP + 6);
  }

  @Test
  void aDeletedRowBeyondTheStepIsInTheWayToo() throws Exception {
    create(LEADING);
    write(LEADING, StepTraffic.STEP + 5);
    try (Table table = plain.getTable(name)) {
      table.delete(
          new org.apache.hadoop.hbase.client.Delete(
                  row(Layout.parse(LEADING), StepTraffic.STEP + 5))
              .setAttribute(GuardAttributes.RAW, new byte[0]));
    }
    assertThatThrownBy(() -> begin(LEADING_STEP, MigrationListener.NONE))
        .hasMessageContaining("no=1000005");
  }

  @Test
  void aDateOfThePastIsRefusedWithTheEarliestOneThatWorks() throws Exception {
    Layout layout = Layout.parse("salt(4) + ts:timestamp");
    tables.create(name, layout, layout.splits(4), List.of("d"));
    assertThatThrownBy(
            () -> begin("salt(4; 8 from ts 2020-01-01) + ts:timestamp", MigrationListener.NONE))
        .isInstanceOf(MigrationException.class)
        .hasMessageMatching(
            "step is in the past: .* from=2020-01-01; the earliest value that works now is"
                + " 20\\d\\d-\\d\\d-\\d\\d.*");
  }

  @Test
  void aTableIntoWhichAnyoneWritesIsRefused() throws Exception {
    create(LEADING);
    try (Admin admin = plain.getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(descriptor())
              .setValue("EVENKEY_RAW_WRITES", "allow")
              .build());
    }
    assertThatThrownBy(() -> begin(LEADING_STEP, MigrationListener.NONE))
        .isInstanceOf(MigrationException.class)
        .hasMessageContaining("EVENKEY_RAW_WRITES=allow")
        .hasMessageContaining("say that they have stopped");
    new OtherWriters(plain).stop(name);
    // The layout's own rows only, in all regions and at once.
    try (Table own = plain.getTable(name)) {
      byte[] row = Layout.parse(LEADING).encode(Values.of("no", 1L).and("device", "x"));
      own.put(new Put(row).addColumn(D, D, D));
      row[0] ^= 1;
      assertThatThrownBy(() -> own.put(new Put(row).addColumn(D, D, D)))
          .hasMessageContaining("does not fit the table's layout");
    }
    try (Migrator migrator = begin(LEADING_STEP, MigrationListener.NONE)) {
      migrator.run();
    }
  }

  @Tag("long")
  @Test
  void aSecondStepFollowsTheFirst() throws Exception {
    create(LEADING);
    try (Migrator migrator = begin(LEADING_STEP, MigrationListener.NONE)) {
      migrator.run();
    }
    write(LEADING_STEP, StepTraffic.STEP + 7);
    String second = LEADING_STEP.replace("1000000", "1000000, 2 from no 2000000");
    try (Migrator migrator = begin(second, MigrationListener.NONE)) {
      assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
    }
    write(second, 2 * StepTraffic.STEP);
    assertThat(line()).isEqualTo(second);
  }
}
