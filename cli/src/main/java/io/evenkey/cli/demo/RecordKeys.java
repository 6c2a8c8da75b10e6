/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.demo;

import io.evenkey.jobs.records.InputException;
import io.evenkey.jobs.records.RecordCursor;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.layout.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;

/**
 * The logical keys of all records in key order, which a correct table must return. Reading them
 * also finds invalid input before any table is created. Holds about 50 bytes per record.
 */
final class RecordKeys {
  private final List<Entry> sorted;
  private final List<Entry> distinct = new ArrayList<>();

  /**
   * A record.
   *
   * @param key its logical key
   * @param record its position in arrival order, from 0
   * @param checksum the checksum of the values that are stored in addition to the key
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by key, explicitly
  record Entry(byte[] key, int record, long checksum) {}

  private RecordKeys(List<Entry> sorted) {
    this.sorted = sorted;
    for (Entry entry : sorted) {
      if (distinct.isEmpty() || !Arrays.equals(last().key, entry.key)) {
        distinct.add(entry);
      }
    }
  }

  private Entry last() {
    return distinct.get(distinct.size() - 1);
  }

  static RecordKeys read(RecordSource source, Layout layout, RecordCells cells)
      throws InputException {
    List<Entry> entries = new ArrayList<>();
    int longestKey = HConstants.MAX_ROW_LENGTH - layout.spread().width();
    try (RecordCursor records = source.open()) {
      while (records.next()) {
        byte[] key = cells.logicalKey(records);
        if (key.length > longestKey) {
          throw InputException.value(
              source,
              records,
              layout.fields().get(0).name(),
              "key of " + key.length + " bytes, longer than HBase's " + longestKey);
        }
        entries.add(new Entry(key, entries.size(), cells.checksum(records)));
      }
    }
    if (entries.isEmpty()) {
      throw InputException.empty(source);
    }
    entries.sort(
        (a, b) -> {
          int order = Arrays.compareUnsigned(a.key, b.key);
          return order != 0 ? order : Integer.compare(a.record, b.record);
        });
    return new RecordKeys(entries);
  }

  /** The number of records. */
  int records() {
    return sorted.size();
  }

  /** The first record of each different key, in key order. */
  List<Entry> distinct() {
    return distinct;
  }

  /** The different keys in order. */
  List<byte[]> keys() {
    return distinct.stream().map(Entry::key).toList();
  }

  /**
   * The number of records whose key an earlier record also has: HBase keeps one row for each key.
   */
  int collisions() {
    return sorted.size() - distinct.size();
  }

  /** All records in key order; records with the same key in arrival order. */
  List<Entry> sorted() {
    return sorted;
  }
}
