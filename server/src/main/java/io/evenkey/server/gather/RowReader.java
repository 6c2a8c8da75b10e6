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
  private List<Cell> ahead = List.of();
  private boolean more = true;

  RowReader(RegionScanner scanner, long mostBytes) {
    this.scanner = scanner;
    this.mostBytes = mostBytes;
  }

  /**
   * The next row; null at the end of the range.
   *
   * @throws DoNotRetryIOException if it is larger than the answer may be
   */
  @Nullable List<Cell> next() throws IOException {
    List<Cell> row = new ArrayList<>(ahead);
    ahead = List.of();
    long bytes = 0;
    while (more) {
      List<Cell> cells = new ArrayList<>();
      more =
          scanner.nextRaw(cells, ScannerContext.newBuilder().setBatchLimit(CELLS_AT_ONCE).build());
      if (cells.isEmpty()) {
        continue;
      }
      copy(cells);
      if (!row.isEmpty() && !CellUtil.matchingRows(row.get(0), cells.get(0))) {
        ahead = cells;
        return row;
      }
      row.addAll(cells);
      for (Cell cell : cells) {
        bytes += cell.heapSize();
      }
      if (bytes > mostBytes) {
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
