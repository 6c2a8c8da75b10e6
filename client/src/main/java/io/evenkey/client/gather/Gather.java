package io.evenkey.client.gather;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * Merges the scanners of the physical ranges of one read into one scanner in logical order.
 *
 * <p><b>Invariant.</b> Every scanner gives whole rows in logical order, whose logical keys start
 * {@code keyOffset} bytes into the physical row. The heads of all scanners are in {@code heads};
 * whatever has been returned comes before all of them. So the next row in logical order is the
 * least head, and keys are compared where they lie, in the bytes that HBase returned.
 *
 * <p><b>Cost.</b> ⌈log₂ k⌉ key comparisons a row, no copy. The scanners are opened and read ahead
 * by whoever made them; the merge itself runs in the caller's thread. Not thread-safe.
 */
public final class Gather implements ResultScanner {
  private final List<ResultScanner> scanners;
  private final int keyOffset;
  private final int direction;
  private final UnaryOperator<Result> toLogical;
  private final Result[] heads;
  private long rowsLeft;
  private @Nullable LoserTree tree;
  private boolean closed;

  /**
   * A merge of scanners, which it will close.
   *
   * @param scanners one for each range
   * @param keyOffset bytes before the logical key in each physical row
   * @param reversed whether the scanners give their rows in descending order
   * @param limit the most rows to return, or 0 for no limit
   * @param toLogical what callers get for a physical row
   */
  public Gather(
      List<ResultScanner> scanners,
      int keyOffset,
      boolean reversed,
      long limit,
      UnaryOperator<Result> toLogical) {
    this.scanners = List.copyOf(scanners);
    this.keyOffset = keyOffset;
    this.direction = reversed ? -1 : 1;
    this.toLogical = toLogical;
    this.heads = new Result[scanners.size()];
    this.rowsLeft = limit == 0 ? Long.MAX_VALUE : limit;
  }

  @Override
  public @Nullable Result next() throws IOException {
    if (closed || rowsLeft == 0 || heads.length == 0) {
      return null;
    }
    LoserTree merge = tree;
    if (merge == null) {
      for (int i = 0; i < heads.length; i++) {
        heads[i] = scanners.get(i).next();
      }
      merge = new LoserTree(heads.length, this::compareHeads);
      tree = merge;
    } else {
      // Only now, so that a caller who wants no further row does not wait for one.
      heads[merge.winner()] = scanners.get(merge.winner()).next();
      merge.replay();
    }
    Result first = heads[merge.winner()];
    if (first == null) {
      rowsLeft = 0;
      return null;
    }
    // A large row comes in pieces if the scan allows it, and counts once.
    if (!first.mayHaveMoreCellsInRow()) {
      rowsLeft--;
    }
    return toLogical.apply(first);
  }

  private int compareHeads(int a, int b) {
    Result left = heads[a];
    Result right = heads[b];
    if (left == null || right == null) {
      return left == right ? 0 : left == null ? 1 : -1;
    }
    Cell x = left.rawCells()[0];
    Cell y = right.rawCells()[0];
    return direction
        * Arrays.compareUnsigned(
            x.getRowArray(),
            x.getRowOffset() + keyOffset,
            x.getRowOffset() + x.getRowLength(),
            y.getRowArray(),
            y.getRowOffset() + keyOffset,
            y.getRowOffset() + y.getRowLength());
  }

  @Override
  public void close() {
    closed = true;
    scanners.forEach(ResultScanner::close);
  }

  @Override
  public boolean renewLease() {
    boolean all = !closed;
    for (ResultScanner scanner : scanners) {
      all &= scanner.renewLease();
    }
    return all;
  }

  /** The sums over all ranges, or null if the scan did not ask for metrics. */
  @Override
  public @Nullable ScanMetrics getScanMetrics() {
    ScanMetrics sum = null;
    for (ResultScanner scanner : scanners) {
      ScanMetrics metrics = scanner.getScanMetrics();
      if (metrics != null) {
        ScanMetrics to = sum == null ? new ScanMetrics() : sum;
        metrics.getMetricsMap(false).forEach(to::addToCounter);
        sum = to;
      }
    }
    return sum;
  }
}
