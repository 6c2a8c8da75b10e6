/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.index.EntryPut;
import io.evenkey.client.internal.index.IndexWrites;
import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.protocol.index.TableIndexes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class PlannedWritesTest {
  private static final Layout LAYOUT = Layout.parse("salt(4) + id:int64");
  private static final byte[] D = Bytes.toBytes("d");
  private static final TableIndexes ONE =
      TableIndexes.NONE.with(TableIndex.parse("by_a events public as \"a:string\" from a=d:a"));
  private static final TableIndexes TWO =
      ONE.with(TableIndex.parse("by_b events joining as \"b:string\" from b=d:b"));

  private static RowMapping rows(TableIndexes indexes) {
    RowMapping rows = RowMapping.of(LAYOUT);
    return indexes.isEmpty()
        ? rows
        : rows.withIndexes(IndexWrites.of(TableName.valueOf("t"), LAYOUT, indexes, true));
  }

  private static Put put(long id) {
    return new Put(LAYOUT.logicalKey(Values.of("id", id)))
        .addColumn(D, Bytes.toBytes("a"), Bytes.toBytes("x"))
        .addColumn(D, Bytes.toBytes("b"), Bytes.toBytes("y"));
  }

  private static List<TableName> indexes(List<EntryPut> entries) {
    return entries.stream().map(EntryPut::index).toList();
  }

  private static List<List<EntryPut>> entries(TableIndexes indexes, Put... puts) {
    return planned(indexes, puts).list().stream().map(each -> each.write().entries()).toList();
  }

  private static PlannedWrites planned(TableIndexes indexes, Put... puts) {
    return PlannedWrites.of(rows(indexes).indexes(), List.of(puts));
  }

  private static ByteString nonce(EntryPut entry) {
    Cell cell = entry.put().getFamilyCellMap().firstEntry().getValue().get(0);
    return ByteString.of(CellUtil.cloneQualifier(cell));
  }

  @Test
  void aRowHasAnEntryInEachIndex() {
    assertThat(entries(TWO, put(1), put(2)))
        .hasSize(2)
        .allSatisfy(
            e ->
                assertThat(indexes(e))
                    .containsExactly(TableName.valueOf("t.by_a"), TableName.valueOf("t.by_b")));
  }

  @Test
  void eachEntryHasANonceOfItsOwn() {
    Set<ByteString> nonces = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      for (List<EntryPut> each : entries(TWO, put(1))) {
        each.forEach(entry -> assertThat(nonces.add(nonce(entry))).isTrue());
      }
    }
    assertThat(nonces).hasSize(200).allSatisfy(nonce -> assertThat(nonce.length()).isEqualTo(16));
  }

  @Test
  void aRowThatCannotBeWrittenFailsByItself() {
    TableIndexes all =
        ONE.with(
            TableIndex.parse("by_ab events joining as \"a:string + b:string\" from a=d:a, b=d:b"));
    Put some = new Put(put(2).getRow()).addColumn(D, Bytes.toBytes("b"), Bytes.toBytes("y"));
    assertThat(entries(all, put(1), some, put(3))).extracting(List::size).containsExactly(2, 0, 2);
    PlannedWrites planned = planned(all, put(1), some, put(3));
    assertThat(planned.list().get(1).failure())
        .isInstanceOf(IndexRefusedException.class)
        .hasMessageContaining("put of only some of the columns of an index")
        .hasMessageContaining("index=by_ab column=d:a");
    assertThatThrownBy(planned::check).isSameAs(planned.list().get(1).failure());
  }

  @Test
  void withoutTheGuardNoRowIsWritten() {
    IndexWrites unguarded = IndexWrites.of(TableName.valueOf("t"), LAYOUT, ONE, false);
    assertThatThrownBy(() -> unguarded.write(put(1), Result.EMPTY_RESULT))
        .isInstanceOf(IndexRefusedException.class)
        .hasMessageContaining("region servers have no guard");
    assertThatThrownBy(() -> rows(ONE).physical(put(1)))
        .isInstanceOf(IndexRefusedException.class)
        .hasMessageContaining("operation=Put indexes=by_a");
  }

  @Test
  void aPlanIsTakenOnceAndForItsOwnIndexesOnly() {
    IndexWrites indexes = rows(ONE).indexes();
    List<Put> puts = List.of(put(1), put(2));
    PlannedWrites planned = PlannedWrites.of(indexes, puts);
    PlannedWrites.Planner planner = planned.planner(puts);
    IndexWrites others = rows(TWO).indexes();
    assertThat(planner.plan(others, puts).list())
        .allSatisfy(each -> assertThat(each.write().entries()).hasSize(2));
    assertThat(planner.plan(indexes, puts).list()).isEqualTo(planned.list());
    List<PlannedWrite> again = planner.plan(indexes, puts).list();
    for (int i = 0; i < puts.size(); i++) {
      assertThat(nonce(again.get(i).write().entries().get(0)))
          .isNotEqualTo(nonce(planned.list().get(i).write().entries().get(0)));
    }
  }
}
