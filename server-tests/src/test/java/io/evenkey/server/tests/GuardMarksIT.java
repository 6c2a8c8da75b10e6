/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.tests;

import static io.evenkey.server.tests.GuardedTable.FAMILY;
import static io.evenkey.server.tests.GuardedTable.QUALIFIER;
import static io.evenkey.server.tests.GuardedTable.delete;
import static io.evenkey.server.tests.GuardedTable.migrating;
import static io.evenkey.server.tests.GuardedTable.put;
import static io.evenkey.server.tests.GuardedTable.raw;
import static io.evenkey.server.tests.GuardedTable.stamped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedHBaseExtension.class)
class GuardMarksIT {
  private static final String MARK = "/\\x00evenkey\\x00\\x00\\x00\\x00\\x01/DeleteColumn";
  private static final String SECOND_MARK = "/\\x00evenkey\\x00\\x00\\x00\\x00\\x02/DeleteColumn";

  private static GuardedTable tracked(Connection connection) throws IOException {
    GuardedTable table = GuardedTable.withLayout(connection);
    table.set(1, GuardMode.TRACKED);
    return table;
  }

  @Test
  void everyKindOfWriteMarksItsRow(Connection connection) throws Exception {
    GuardedTable guarded = tracked(connection);
    byte[] a = Bytes.toBytes("append");
    byte[] i = Bytes.toBytes("increment");
    byte[] m = Bytes.toBytes("mutateRow");
    byte[] c = Bytes.toBytes("check");
    try (Table table = guarded.open()) {
      table.put(stamped(put("put")));
      table.put(raw(put("raw")));
      table.put(stamped(put("nowal")).setDurability(Durability.SKIP_WAL));
      table.delete(stamped(delete("delete")));
      assertThat(value(table.append(stamped(new Append(a).addColumn(FAMILY, QUALIFIER, a)))))
          .isEqualTo(a);
      for (long count = 1; count <= 3; count++) {
        Increment increment = stamped(new Increment(i).addColumn(FAMILY, QUALIFIER, 1));
        assertThat(value(table.increment(increment))).isEqualTo(Bytes.toBytes(count));
      }
      table.mutateRow(
          RowMutations.of(
              List.of(
                  stamped(new Put(m).addColumn(FAMILY, QUALIFIER, m)),
                  stamped(new Delete(m).addColumns(FAMILY, Bytes.toBytes("gone"))))));
      table.checkAndMutate(
          CheckAndMutate.newBuilder(c)
              .ifNotExists(FAMILY, QUALIFIER)
              .build(stamped(new Put(c).addColumn(FAMILY, QUALIFIER, c))));
      assertThat(marked(guarded))
          .containsExactly(
              "append", "check", "delete", "increment", "mutateRow", "nowal", "put", "raw");
      // No read but a raw one sees them.
      assertThat(table.get(stamped(GuardedTable.get("delete"))).isEmpty()).isTrue();
      assertThat(table.get(stamped(GuardedTable.get("put"))).size()).isEqualTo(1);
    }
  }

  private static byte[] value(Result result) {
    return result.getValue(FAMILY, QUALIFIER);
  }

  private static List<String> marked(GuardedTable guarded) throws IOException {
    return guarded.stored().stream()
        .filter(cell -> cell.contains("evenkey"))
        .map(cell -> cell.substring(0, cell.indexOf('/')))
        .distinct()
        .toList();
  }

  @Test
  void aBatchMarksEachRowAlsoOneThatItWritesTwice(Connection connection) throws Exception {
    GuardedTable guarded = tracked(connection);
    try (Table table = guarded.open()) {
      List<Put> puts = new ArrayList<>();
      for (int n = 0; n < 500; n++) {
        puts.add(stamped(put("row" + n % 250)));
      }
      table.put(puts);
      table.batch(
          List.of(
              stamped(new Increment(Bytes.toBytes("n")).addColumn(FAMILY, QUALIFIER, 1)),
              stamped(new Increment(Bytes.toBytes("n")).addColumn(FAMILY, QUALIFIER, 1)),
              stamped(new Append(Bytes.toBytes("z")).addColumn(FAMILY, QUALIFIER, new byte[1]))),
          new Object[3]);
    }
    assertThat(marked(guarded)).hasSize(252);
  }

  @Test
  void aMarkIsOfThePassInWhichTheRowWasWritten(Connection connection) throws Exception {
    GuardedTable guarded = tracked(connection);
    guarded.write(stamped(put("a")));
    guarded.set(new GuardState(2, GuardMode.TRACKED, 2, 7, "other"));
    guarded.write(stamped(put("b")));
    assertThat(guarded.stored())
        .containsExactlyInAnyOrder("a" + MARK, "a/q/Put", "b" + SECOND_MARK, "b/q/Put");
  }

  private static long marks(GuardedTable guarded) throws IOException {
    return guarded.stored().stream().filter(cell -> cell.contains("evenkey")).count();
  }

  /** Writes at a time of its own, so that its mark differs from that of the write before. */
  private static void writeLater(GuardedTable guarded, Put put) throws IOException {
    long now = System.currentTimeMillis();
    while (System.currentTimeMillis() == now) {
      Thread.onSpinWait();
    }
    guarded.write(put);
  }

  @Test
  void aRowThatIsWrittenOftenHasOneMarkOfAPass(Connection connection) throws Exception {
    GuardedTable guarded = tracked(connection);
    for (int n = 0; n < 100; n++) {
      guarded.write(stamped(put("hot")));
      guarded.write(stamped(delete("hot")));
    }
    assertThat(marks(guarded)).isEqualTo(1);
    guarded.set(new GuardState(2, GuardMode.TRACKED, 2, 7, "other"));
    try (Table table = guarded.open()) {
      for (int n = 0; n < 10; n++) {
        table.increment(
            stamped(new Increment(Bytes.toBytes("hot")).addColumn(FAMILY, Bytes.toBytes("n"), 1)));
      }
    }
    assertThat(marks(guarded)).isEqualTo(2);
    assertThat(guarded.stored()).contains("hot" + MARK, "hot" + SECOND_MARK);
    // The same pass by another state: what is known of marks goes with the state.
    guarded.set(new GuardState(3, GuardMode.TRACKED, 2, 7, ""));
    guarded.write(stamped(put("hot")));
    assertThat(marks(guarded)).isEqualTo(3);
  }

  @Test
  void aMarkThatIsNotInTheLogIsNotReliedUpon(Connection connection) throws Exception {
    GuardedTable guarded = tracked(connection);
    for (Durability weak : List.of(Durability.SKIP_WAL, Durability.ASYNC_WAL)) {
      writeLater(guarded, stamped(put("row")).setDurability(weak));
    }
    writeLater(guarded, stamped(put("row")));
    assertThat(marks(guarded)).isEqualTo(3);
    // This one is: a write that is lost with the server leaves one mark too many at most.
    writeLater(guarded, stamped(put("row")).setDurability(Durability.SKIP_WAL));
    writeLater(guarded, stamped(put("row")));
    assertThat(marks(guarded)).isEqualTo(3);
  }

  @Test
  void aMarkThatExpiresIsNotReliedUpon(Connection connection) throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(connection);
    try (Admin admin = connection.getAdmin()) {
      admin.modifyColumnFamily(
          guarded.name(),
          ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setTimeToLive(86_400).build());
    }
    guarded.set(1, GuardMode.TRACKED);
    for (int n = 0; n < 3; n++) {
      writeLater(guarded, stamped(put("row")));
    }
    assertThat(marks(guarded)).isEqualTo(3);
  }

  @Test
  void aRegionThatOpensAgainMarksAgain(EmbeddedHBase hbase) throws Exception {
    GuardedTable guarded = tracked(hbase.connection());
    guarded.write(stamped(put("row")));
    guarded.write(stamped(put("row")));
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.disableTable(guarded.name());
      admin.enableTable(guarded.name());
    }
    guarded.write(stamped(put("row")));
    assertThat(marks(guarded)).isEqualTo(2);
  }

  @Tag("long")
  @Test
  void theMigrationMarksNothing(Connection connection) throws Exception {
    GuardedTable guarded = tracked(connection);
    guarded.write(migrating(put("a"), 7));
    assertThat(guarded.stored()).containsExactly("a/q/Put");
  }

  @Tag("long")
  @Test
  void marksSurviveTheDeathOfAServer(EmbeddedHBase hbase) throws Exception {
    GuardedTable guarded = tracked(hbase.connection());
    guarded.write(stamped(put("a")));
    try (var regions = hbase.connection().getRegionLocator(guarded.name())) {
      hbase.kill(regions.getRegionLocation(new byte[] {1}, true).getServerName());
    }
    hbase.startServer();
    assertThat(guarded.stored()).containsExactlyInAnyOrder("a" + MARK, "a/q/Put");
    assertThat(guarded.ask(new byte[] {1}, 0).state().mode()).isEqualTo(GuardMode.TRACKED);
  }

  @Test
  void compactionsKeepTombstonesUntilTheMigrationIsOver(Connection connection) throws Exception {
    GuardedTable guarded = tracked(connection);
    for (String row : List.of("a", "b")) {
      guarded.write(
          stamped(new Put(Bytes.toBytes(row)).addColumn(FAMILY, QUALIFIER, 5, QUALIFIER)));
    }
    compact(connection, guarded.name());
    guarded.write(stamped(new Delete(Bytes.toBytes("a")).addColumns(FAMILY, QUALIFIER, 9)));
    guarded.write(stamped(new Delete(Bytes.toBytes("b")).addFamily(FAMILY, 9)));
    compact(connection, guarded.name());
    compact(connection, guarded.name());
    assertThat(guarded.stored())
        .contains("a" + MARK, "a/q/DeleteColumn", "b//DeleteFamily", "b" + MARK);
    guarded.set(2, GuardMode.FENCED);
    compact(connection, guarded.name());
    assertThat(guarded.stored()).contains("a/q/DeleteColumn", "b//DeleteFamily");
    guarded.set(3, GuardMode.OPEN);
    compact(connection, guarded.name());
    assertThat(guarded.stored()).isEmpty();
  }

  private static void compact(Connection connection, TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(table);
      long before = admin.getLastMajorCompactionTimestamp(table);
      admin.majorCompact(table);
      await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () ->
                  admin.getCompactionState(table) == CompactionState.NONE
                      && admin.getLastMajorCompactionTimestamp(table) > before);
    }
  }
}
