/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.index.EntryFamily;
import io.evenkey.client.internal.index.RowEntries;
import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.compare.CellTags;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.Stamp;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.protocol.index.TableIndexes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every kind of difference, made by hand: what is reported, repaired, and there afterwards. */
@ExtendWith(EmbeddedHBaseExtension.class)
class IndexDifferencesIT {
  private static final byte[] D = Bytes.toBytes("d");
  private static final byte[] CUSTOMER = Bytes.toBytes("customer");
  private static final byte[] AMOUNT = Bytes.toBytes("amount");
  private static final Layout LAYOUT = Layout.parse("salt(4) + id:int64");
  private static final TableIndex BY_CUSTOMER =
      TableIndex.parse(
          "by_customer append_only joining as \"salt(3) + customer:string\""
              + " from customer=d:customer covering d:amount");

  private Connection plain;
  private SpreadTables tables;
  private Registry registry;
  private TableName name;
  private TableName entries;

  @BeforeEach
  void create(Connection shared, TestInfo info) throws IOException {
    plain = shared;
    tables = SpreadTables.on(shared);
    registry = Registry.open(shared.getConfiguration());
    name = TableName.valueOf("differences_" + info.getTestMethod().orElseThrow().getName());
    entries = TableName.valueOf(name + ".by_customer");
    tables.create(name, LAYOUT, LAYOUT.splits(2), List.of("d"));
  }

  @AfterEach
  void close() throws IOException {
    registry.close();
    tables.close();
  }

  private static byte[] key(long id) {
    return LAYOUT.logicalKey(Values.of("id", id));
  }

  private static Put order(long id) {
    return order(id, Bytes.toBytes("c" + id), "a" + id);
  }

  private static Put order(long id, byte[] customer, String amount) {
    return new Put(key(id))
        .addColumn(D, CUSTOMER, customer)
        .addColumn(D, AMOUNT, Bytes.toBytes(amount));
  }

  private void write(long from, long to) throws IOException {
    List<Put> orders = new ArrayList<>();
    for (long id = from; id < to; id++) {
      orders.add(order(id));
    }
    tables.open(name).put(orders);
  }

  private IndexReport add() throws IOException {
    return new IndexAddition(name, BY_CUSTOMER, 0, 0).run(plain, registry, IndexListener.NONE);
  }

  private IndexReport verify(boolean repair) throws IOException {
    return IndexVerification.run(plain, registry, name, "by_customer", repair, IndexListener.NONE);
  }

  private TableIndexes indexes() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return TableLayout.indexes(admin.getDescriptor(name));
    }
  }

  /** The index as the table has it. */
  private RowEntries rowEntries() throws IOException {
    return RowEntries.of(name, LAYOUT, indexes().get("by_customer").orElseThrow());
  }

  private byte[] entryOf(Put row) throws IOException {
    return rowEntries().key(row.getRow(), cells(row)).orElseThrow();
  }

  private static Result cells(Put row) {
    return Result.create(row.getFamilyCellMap().get(D));
  }

  private void remove(long id) throws IOException {
    Delete entry = new Delete(entryOf(order(id)));
    entry.setAttribute(GuardAttributes.ENTRY, new byte[0]);
    tables.open(entries).delete(entry);
  }

  /** Past Evenkey's client, without an entry, as one that has its stamp. */
  private void writeAlone(Put logical, Tag... tags) throws IOException {
    byte[] row = LAYOUT.physical(logical.getRow());
    Put put = new Put(row);
    for (Cell cell : logical.getFamilyCellMap().get(D)) {
      put.add(
          new KeyValue(
              row,
              D,
              CellUtil.cloneQualifier(cell),
              System.currentTimeMillis(),
              CellUtil.cloneValue(cell),
              tags));
    }
    put.setAttribute(GuardAttributes.LAYOUT, Stamp.of(LAYOUT, indexes()));
    try (Connection tagged =
            ConnectionFactory.createConnection(CellTags.read(plain.getConfiguration()));
        Table table = tagged.getTable(name)) {
      // HBase's client sends the tags of lists only.
      table.put(List.of(put));
    }
  }

  /** With rights of its own, as HBase's access controller stores them with a cell. */
  private void writeSecured(Put logical) throws IOException {
    writeAlone(logical, new ArrayBackedTag(TagType.ACL_TAG_TYPE, Bytes.toBytes("rights")));
  }

  /** The numbers of each kind; those that are 0 are left out. */
  private static Map<IndexDifference.Kind, Long> counts(IndexReport report) {
    Map<IndexDifference.Kind, Long> counts = new EnumMap<>(IndexDifference.Kind.class);
    for (IndexDifference.Kind kind : IndexDifference.Kind.values()) {
      if (report.count(kind) > 0) {
        counts.put(kind, report.count(kind));
      }
    }
    return counts;
  }

  /** The keys that a report names for a kind. */
  private static List<String> named(IndexReport report, IndexDifference.Kind kind) {
    return report.differences().stream()
        .filter(one -> one.kind() == kind)
        .map(IndexDifference::label)
        .sorted()
        .toList();
  }

  /** The amounts that a covered read returns, by id. */
  private Map<Long, String> covered() throws IOException {
    Map<Long, String> amounts = new TreeMap<>();
    try (KeyedRows rows = tables.open(name).select().by("by_customer").column(D, AMOUNT).open()) {
      for (KeyedRow row : rows) {
        amounts.put(row.getLong("id"), Bytes.toString(row.value(D, AMOUNT)));
      }
    }
    return amounts;
  }

  private static byte[] longValue() {
    return Bytes.toBytes("x".repeat(Short.MAX_VALUE));
  }

  @Test
  void eachKindIsCountedAndRepairedOrLeftWithItsRemedy() throws Exception {
    write(0, 10);
    assertThat(counts(add())).isEmpty();
    SpreadTable index = tables.open(entries);
    remove(1);
    tables.open(name).put(order(2, Bytes.toBytes("c2"), "other"));
    writeAlone(order(3, new byte[] {(byte) 0xff}, "a3"));
    writeAlone(order(4, longValue(), "a4"));
    remove(5);
    writeSecured(order(5));
    Put absent = new Put(entryOf(order(20)));
    absent.setAttribute(GuardAttributes.ENTRY, new byte[0]);
    index.put(absent.addColumn(EntryFamily.name(), RowEntries.nonce(), D));
    Put phantom = order(21);
    index.put(rowEntries().settled(entryOf(phantom), cells(phantom)).orElseThrow());
    Put unreadable = new Put(new byte[] {0, 'x'});
    unreadable.setAttribute(GuardAttributes.RAW, new byte[0]);
    try (Table stored = plain.getTable(entries)) {
      stored.put(unreadable.addColumn(EntryFamily.name(), RowEntries.nonce(), D));
    }

    IndexReport found = verify(false);
    // The rows whose values are other ones by now have left their entries.
    Map<IndexDifference.Kind, Long> all =
        Map.of(
            IndexDifference.Kind.MISSING, 1L,
            IndexDifference.Kind.COVERED, 1L,
            IndexDifference.Kind.UNFIT, 2L,
            IndexDifference.Kind.SECURED, 1L,
            IndexDifference.Kind.STALE, 1L,
            IndexDifference.Kind.PHANTOM, 3L,
            IndexDifference.Kind.UNREADABLE, 1L);
    assertThat(counts(found)).isEqualTo(all);
    assertThat(found.isComplete()).isFalse();
    assertThat(named(found, IndexDifference.Kind.MISSING)).containsExactly("id=1");
    assertThat(named(found, IndexDifference.Kind.COVERED)).containsExactly("id=2");
    assertThat(named(found, IndexDifference.Kind.SECURED)).containsExactly("id=5");
    assertThat(named(found, IndexDifference.Kind.UNFIT).get(0)).startsWith("id=3: ");
    assertThat(named(found, IndexDifference.Kind.UNFIT).get(1))
        .startsWith("id=4: row of an index too long: table=" + name);
    assertThat(found.leftCounts()).isEqualTo("missing=1 covered=1 unfit=2 secured=1 phantom=3");
    assertThat(found.remedies())
        .contains("missing: a repair adds their entries", "unfit: write them again");

    IndexReport repaired = verify(true);
    assertThat(repaired.added()).isEqualTo(2);
    assertThat(repaired.removed()).isEqualTo(4);
    assertThat(repaired.leftCounts()).isEqualTo("unfit=2 secured=1");
    assertThat(repaired.remedies()).doesNotContain("a repair");
    IndexWork.Verification stored =
        registry.indexes().get(name, "by_customer").orElseThrow().verified();
    assertThat(stored.toRepair()).isZero();
    assertThat(stored.differences()).isEqualTo(3);
    assertThat(covered().keySet()).containsExactly(0L, 1L, 2L, 6L, 7L, 8L, 9L);
    assertThat(covered()).containsEntry(1L, "a1").containsEntry(2L, "other");

    // As the remedies say.
    write(3, 6);
    IndexReport right = verify(false);
    assertThat(counts(right)).isEqualTo(Map.of(IndexDifference.Kind.UNREADABLE, 1L));
    assertThat(right.isComplete()).isTrue();
    assertThat(covered()).hasSize(10).containsEntry(3L, "a3").containsEntry(5L, "a5");
  }

  /** Its settled entry has no cell but that of the values before. */
  @Test
  void aSecuredRowWithOtherCoveredValuesIsRightWhenItIsWrittenAgainAndRepaired() throws Exception {
    write(0, 3);
    add();
    writeSecured(order(1, Bytes.toBytes("c1"), "other"));
    assertThat(counts(verify(true))).isEqualTo(Map.of(IndexDifference.Kind.SECURED, 1L));
    assertThat(covered()).containsEntry(1L, "a1");
    tables.open(name).put(order(1, Bytes.toBytes("c1"), "other"));
    writeSecured(order(1, Bytes.toBytes("c1"), "other"));
    IndexReport repaired = verify(true);
    assertThat(counts(repaired)).isEqualTo(Map.of(IndexDifference.Kind.COVERED, 1L));
    assertThat(repaired.isComplete()).isTrue();
    assertThat(covered()).hasSize(3).containsEntry(1L, "other");
    assertThat(counts(verify(false))).isEmpty();
  }

  @Test
  void rowsThatTheIndexCannotHoldEndAnAdditionWithTheirRemedy() throws Exception {
    write(0, 3);
    tables.open(name).put(order(1, longValue(), "a1"));
    assertThatThrownBy(this::add)
        .isInstanceOf(IndexLifeException.class)
        .hasMessageStartingWith("row that the index cannot hold: table=" + name)
        .hasMessageContaining("row of an index too long")
        .hasMessageContaining("; write it again with values that fit, and repeat the command");
    tables.open(name).put(order(1));
    IndexListener atComparison =
        new IndexListener() {
          @Override
          public void begins(Phase phase) {
            if (phase == Phase.COMPARE_ROWS) {
              try {
                writeAlone(order(2, longValue(), "a2"));
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            }
          }

          @Override
          public void progress(double share, long rows) {}
        };
    IndexAddition addition = new IndexAddition(name, BY_CUSTOMER, 0, 0);
    assertThatThrownBy(() -> addition.run(plain, registry, atComparison))
        .isInstanceOf(IndexLifeException.class)
        .hasMessageContaining("rows and index differ after the filling")
        .hasMessageContaining("unfit=1 first=\"id=2: ")
        .hasMessageContaining("; unfit: write them again with values that fit")
        .hasMessageContaining("then repeat the command, or drop the index");
    write(2, 3);
    assertThat(add().isComplete()).isTrue();
    assertThat(covered()).hasSize(3);
    assertThat(tables.open(name).get(new Get(key(2))).isEmpty()).isFalse();
  }
}
