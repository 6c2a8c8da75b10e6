package io.evenkey.server.gather;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.jspecify.annotations.Nullable;

/**
 * Reads whole rows of a region's scanner, some cells at a time, so that a row of any size is
 * noticed before it is in memory. Its cells are on the heap, and stay valid after the scanner. Not
 * thread-safe.
 */
final class RowReader {
  private static final int CELLS_AT_ONCE = 1_000;

  private final RegionScanner scanner;
  private final long mostBytes;
  private final long deadlineMs;
  private final ScannerContext limits;
  private List<Cell> ahead = List.of();
  private boolean more = true;
  private long bytes;

  /**
   * @param mostBytes the most bytes of one row
   * @param deadlineMs the end of the time to read, in HBase's clock
   */
  RowReader(RegionScanner scanner, long mostBytes, long deadlineMs) {
    this.scanner = scanner;
    this.mostBytes = mostBytes;
    this.deadlineMs = deadlineMs;
    this.limits =
        ScannerContext.newBuilder()
            .setBatchLimit(CELLS_AT_ONCE)
            .setTimeLimit(ScannerContext.LimitScope.BETWEEN_ROWS, deadlineMs)
            .build();
  }

  /** The bytes of all rows so far. */
  long bytes() {
    return bytes;
  }

  /**
   * The next row; null at the end of the range.
   *
   * @throws DoNotRetryIOException if it is larger than the answer may be, or takes too long
   */
  @Nullable List<Cell> next() throws IOException {
    List<Cell> row = ahead;
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
      if (!row.isEmpty() && !CellUtil.matchingRows(row.get(0), cells.get(0))) {
        ahead = cells;
        return row;
      }
      if (row.isEmpty()) {
        row = cells;
      } else {
        row.addAll(cells);
      }
      for (Cell cell : cells) {
        bytes += cell.heapSize();
      }
      if (bytes - before > mostBytes) {
        throw new DoNotRetryIOException(
            "row too large for a gather: bytes>" + mostBytes + "; scan the region itself");
      }
      if (cells.size() < CELLS_AT_ONCE) {
        return row;
      }
    }
    return row.isEmpty() ? null : row;
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
