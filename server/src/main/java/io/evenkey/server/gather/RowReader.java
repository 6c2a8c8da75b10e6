/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.gather;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.jspecify.annotations.Nullable;

/**
 * Reads whole rows of a region's scanner, some cells at a time, so that a row of any size is
 * noticed before it is in memory; at once where a filter decides on whole rows, as HBase does. Its
 * cells are on the heap, and stay valid after the scanner. Not thread-safe.
 */
final class RowReader {
  private static final int CELLS_AT_ONCE = 1_000;

  private final RegionScanner scanner;
  private final int cellsAtOnce;
  private final long mostBytes;
  private final long deadlineMs;
  private final ScannerContext limits;

  /** A row that was read and is not taken yet; empty if there is none. */
  private List<Cell> row = List.of();

  /** Cells of the row behind that one; empty if none were read. */
  private List<Cell> ahead = List.of();

  private boolean started;
  private boolean more = true;
  private long bytes;

  private RowReader(RegionScanner scanner, int cellsAtOnce, long mostBytes, long deadlineMs) {
    this.scanner = scanner;
    this.cellsAtOnce = cellsAtOnce;
    this.mostBytes = mostBytes;
    this.deadlineMs = deadlineMs;
    this.limits =
        ScannerContext.newBuilder()
            .setBatchLimit(cellsAtOnce)
            .setTimeLimit(ScannerContext.LimitScope.BETWEEN_ROWS, deadlineMs)
            .build();
  }

  /**
   * A reader.
   *
   * @param filter of the scanner
   * @param mostBytes the most bytes of one row
   * @param deadlineMs the end of the time to read, in HBase's clock
   */
  static RowReader of(
      RegionScanner scanner, @Nullable Filter filter, long mostBytes, long deadlineMs) {
    boolean whole = filter != null && filter.hasFilterRow();
    return new RowReader(scanner, whole ? Integer.MAX_VALUE : CELLS_AT_ONCE, mostBytes, deadlineMs);
  }

  /** The bytes of all rows so far. */
  long bytes() {
    return bytes;
  }

  /**
   * Continues with the first row that is not before a key, which is behind those of all calls so
   * far. Does not seek if that row has been read already.
   */
  void seek(byte[] start) throws IOException {
    if (!started) {
      // The scanner is there.
      started = true;
      return;
    }
    if (isBefore(row, start)) {
      row = List.of();
    }
    if (row.isEmpty() && isBefore(ahead, start)) {
      ahead = List.of();
    }
    if (row.isEmpty() && ahead.isEmpty() && more) {
      scanner.reseek(start);
    }
  }

  private static boolean isBefore(List<Cell> cells, byte[] key) {
    return !cells.isEmpty()
        && CellComparator.getInstance().compareRows(cells.get(0), key, 0, key.length) < 0;
  }

  /**
   * The next row before a key; null if there is none. A row that is not before the key stays for
   * another call.
   *
   * @param stop the key; empty for all rows of the scanner
   * @throws DoNotRetryIOException if it is larger than the answer may be, or takes too long
   */
  @Nullable List<Cell> next(byte[] stop) throws IOException {
    if (row.isEmpty()) {
      row = read();
    }
    if (row.isEmpty() || (stop.length > 0 && !isBefore(row, stop))) {
      return null;
    }
    List<Cell> next = row;
    row = List.of();
    return next;
  }

  /** Reads the next row; empty at the end. */
  private List<Cell> read() throws IOException {
    List<Cell> read = ahead;
    ahead = List.of();
    long before = bytes;
    while (more) {
      List<Cell> cells = new ArrayList<>();
      more = scanner.nextRaw(cells, limits);
      if (EnvironmentEdgeManager.currentTime() > deadlineMs) {
        throw new DoNotRetryIOException("gather takes too long; scan the region itself");
      }
      if (cells.isEmpty()) {
        continue;
      }
      copy(cells);
      if (!read.isEmpty() && !CellUtil.matchingRows(read.get(0), cells.get(0))) {
        ahead = cells;
        return read;
      }
      if (read.isEmpty()) {
        read = cells;
      } else {
        read.addAll(cells);
      }
      for (Cell cell : cells) {
        bytes += cell.heapSize();
      }
      if (bytes - before > mostBytes) {
        throw new DoNotRetryIOException(
            "row too large for a gather: bytes>" + mostBytes + "; scan the region itself");
      }
      if (cells.size() < cellsAtOnce) {
        return read;
      }
    }
    return read;
  }

  private static void copy(List<Cell> cells) throws IOException {
    for (int i = 0; i < cells.size(); i++) {
      if (cells.get(i) instanceof ByteBufferExtendedCell offHeap) {
        try {
          cells.set(i, PrivateCellUtil.deepClone(offHeap));
        } catch (CloneNotSupportedException e) {
          throw new IOException("cell cannot be copied: cell=" + offHeap, e);
        }
      }
    }
  }
}
