/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.compare;

import io.evenkey.client.SpreadTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Reads a table in the order in which its rows are stored, some rows at a time: for layouts of too
 * many ranges to be read at once, or without an order. Not thread-safe.
 */
final class StoredOrder {
  /** Takes some rows at a time. */
  interface Batches {
    /** Some rows; returns whether to read on. */
    boolean accept(List<Result> rows) throws IOException;
  }

  private final SpreadTable table;

  StoredOrder(SpreadTable table) {
    this.table = table;
  }

  /**
   * Reads to the end, or as far as the batches are wanted.
   *
   * @param after the logical key of the row to begin after; empty for the beginning
   * @param all a scan without bounds that has the cells to read of each row
   * @return whether the table was read to its end
   */
  boolean read(byte[] after, Scan all, Batches batches) throws IOException {
    Scan rest = new Scan(all);
    if (after.length > 0) {
      rest.withStartRow(table.layout().physical(after), false);
    }
    List<Result> batch = new ArrayList<>();
    try (ResultScanner rows = table.scanStored(rest)) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        batch.add(row);
        if (batch.size() == SideBySide.NOTED_EVERY) {
          if (!batches.accept(batch)) {
            return false;
          }
          batch = new ArrayList<>();
        }
      }
    }
    return batch.isEmpty() || batches.accept(batch);
  }
}
