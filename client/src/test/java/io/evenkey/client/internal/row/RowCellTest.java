/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.Layout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * A cell under its logical key, as an application sees it, against HBase's own cell of that key.
 */
class RowCellTest {
  private static final RowMapping ROWS = RowMapping.of(Layout.parse("salt(4) + key:bytes"));

  private static KeyValue cell(byte[] row) {
    return new KeyValue(row, Bytes.toBytes("f"), Bytes.toBytes("q"), 7, Bytes.toBytes("v"));
  }

  private static Cell logical(byte[] key) {
    Cell stored = cell(ROWS.physical(key));
    return ROWS.results().logical(Result.create(new Cell[] {stored})).rawCells()[0];
  }

  @Test
  void isEqualToHBasesOwnCellOfTheLogicalKey() {
    for (String key : List.of("", "a", "row-000001")) {
      Cell view = logical(Bytes.toBytes(key));
      Cell own = cell(Bytes.toBytes(key));
      assertThat(view).isEqualTo(own).hasSameHashCodeAs(own);
      assertThat(own).isEqualTo(view);
      assertThat(view.toString()).isEqualTo(CellUtil.toString(own, false));
    }
    assertThat(logical(Bytes.toBytes("a"))).isNotEqualTo(cell(Bytes.toBytes("b")));
  }

  @Test
  void isSerialisedAsTheCellOfTheLogicalKey() throws IOException {
    Cell view = logical(Bytes.toBytes("row"));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    KeyValueUtil.oswrite(view, bytes, true);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    KeyValueUtil.oswrite(cell(Bytes.toBytes("row")), expected, true);
    assertThat(bytes.toByteArray()).isEqualTo(expected.toByteArray());
    assertThat(KeyValueUtil.copyToNewKeyValue(view)).isEqualTo(cell(Bytes.toBytes("row")));
  }

  @Test
  void aResultKeepsItsCellsAndWhetherItExists() {
    Result stored = Result.create(new Cell[] {cell(ROWS.physical(Bytes.toBytes("a")))});
    stored.setExists(true);
    Result logical = ROWS.results().logical(stored);
    assertThat(logical.getExists()).isTrue();
    assertThat(logical.getRow()).isEqualTo(Bytes.toBytes("a"));
    assertThat(logical.getValue(Bytes.toBytes("f"), Bytes.toBytes("q")))
        .isEqualTo(Bytes.toBytes("v"));
  }

  @Test
  void isNeverAViewOfAView() throws IOException {
    Cell once = logical(Bytes.toBytes("row"));
    Cell again = once;
    for (int i = 0; i < 20; i++) {
      Put sent = (Put) ROWS.physical((Row) new Put(CellUtil.cloneRow(again)).add(again));
      Cell physical = sent.getFamilyCellMap().firstEntry().getValue().get(0);
      again = ROWS.results().logical(Result.create(new Cell[] {physical})).rawCells()[0];
    }
    assertThat(again).isEqualTo(once);
    // A view's size is its own and that of the cell that it is a view of.
    assertThat(again.heapSize()).isEqualTo(once.heapSize());
  }
}
