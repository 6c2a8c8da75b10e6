/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.compare;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** One row's cells, written as {@code type family:qualifier@time=value #tag}. */
final class RowOfCells {
  static final byte[] KEY = Bytes.toBytes("key");

  private RowOfCells() {}

  /** A row in HBase's order; empty without cells. */
  static Result row(String... cells) {
    List<Cell> row = new ArrayList<>();
    for (String cell : cells) {
      row.add(cell(cell));
    }
    row.sort(CellComparator.getInstance());
    return row.isEmpty() ? Result.EMPTY_RESULT : Result.create(row);
  }

  static Cell cell(String text) {
    String[] tagged = text.split(" #", 2);
    String[] words = tagged[0].split("[ :@=]", -1);
    List<Tag> tags =
        tagged.length < 2 ? List.of() : List.of(new ArrayBackedTag((byte) 70, tagged[1]));
    byte[] value = words.length > 4 ? Bytes.toBytes(words[4]) : new byte[0];
    return new KeyValue(
        KEY,
        Bytes.toBytes(words[1]),
        Bytes.toBytes(words[2]),
        Long.parseLong(words[3]),
        KeyValue.Type.valueOf(words[0]),
        value,
        tags);
  }
}
