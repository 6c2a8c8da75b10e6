/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;

/**
 * Single rows of a region, in ascending order, by one scanner that seeks from one to the next: a
 * scanner for each row costs several times as much. Not thread-safe.
 */
final class SoughtRows implements Closeable {
  private final RegionScanner scanner;

  /** The row on which the scanner was last; empty before the first one. */
  private List<Cell> met = List.of();

  private boolean started;
  private boolean more = true;

  private SoughtRows(RegionScanner scanner) {
    this.scanner = scanner;
  }

  /**
   * Opens the scanner.
   *
   * @param scan from the first row to the last one, with the columns that are read
   */
  static SoughtRows open(Region region, Scan scan) throws IOException {
    return new SoughtRows(region.getScanner(scan));
  }

  /**
   * The cells of a row, which are valid until this is closed; empty if there are none.
   *
   * @param row not before that of the last call
   */
  List<Cell> read(byte[] row) throws IOException {
    if (compareMet(row) < 0 && more) {
      if (started) {
        scanner.reseek(row);
      }
      started = true;
      met = next();
    }
    return compareMet(row) == 0 ? met : List.of();
  }

  /** Where the row met stands to another one; before each one if none was met. */
  private int compareMet(byte[] row) {
    return met.isEmpty()
        ? -1
        : CellComparator.getInstance().compareRows(met.get(0), row, 0, row.length);
  }

  private List<Cell> next() throws IOException {
    List<Cell> cells = new ArrayList<>();
    while (more && cells.isEmpty()) {
      more = scanner.next(cells);
    }
    return cells;
  }

  @Override
  public void close() throws IOException {
    scanner.close();
  }
}
