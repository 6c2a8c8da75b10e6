/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.demo;

import io.evenkey.jobs.records.InputException;
import io.evenkey.jobs.records.RecordCursor;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.layout.Layout;
import io.evenkey.layout.hash.Xxh3;
import io.evenkey.layout.text.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A key for records without a layout. */
final class KeyChoice {
  /** The most columns of a reasonable key. */
  private static final int MOST_COLUMNS = 4;

  private KeyChoice() {}

  /** The plain layout of these columns, with types inferred from the data. */
  static Layout of(RecordSource source, List<String> columns) throws InputException {
    int[] indexes = new int[columns.size()];
    for (int i = 0; i < indexes.length; i++) {
      indexes[i] = source.column(columns.get(i));
    }
    List<String> types = ColumnTypes.infer(source, indexes);
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < indexes.length; i++) {
      fields.add(Quoted.name(columns.get(i)) + ":" + types.get(i));
    }
    return Layout.parse(String.join(" + ", fields));
  }

  /** The shortest list of leading columns that is unique for all records, or the longest tried. */
  static List<String> leadingColumns(RecordSource source) throws InputException {
    int most = Math.min(MOST_COLUMNS, source.columns().size());
    int count = 1;
    while (count < most && !areUnique(source, count)) {
      count++;
    }
    return source.columns().subList(0, count);
  }

  private static boolean areUnique(RecordSource source, int count) throws InputException {
    long[] hashes = new long[1024];
    int size = 0;
    try (RecordCursor records = source.open()) {
      while (records.next()) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
          text.append(records.value(i)).append('\0');
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        if (size == hashes.length) {
          hashes = Arrays.copyOf(hashes, 2 * size);
        }
        hashes[size++] = Xxh3.hash(bytes, 0, bytes.length);
      }
    }
    Arrays.sort(hashes, 0, size);
    for (int i = 1; i < size; i++) {
      if (hashes[i] == hashes[i - 1]) {
        return false;
      }
    }
    return true;
  }
}
