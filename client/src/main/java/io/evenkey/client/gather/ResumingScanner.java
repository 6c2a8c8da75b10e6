package io.evenkey.client.gather;

import java.io.IOException;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * The scanner of one range, which goes on where the range is when the server that it was on has
 * gone. Reads ahead, as HBase's. Not thread-safe.
 */
public final class ResumingScanner implements ResultScanner {
  private final AsyncTable<?> table;
  private final Progress progress;
  private @Nullable ResultScanner scanner;

  /** Opens the scanner of a range. */
  public ResumingScanner(AsyncTable<?> table, Scan scan) {
    this.table = table;
    this.progress = new Progress(scan);
    this.scanner = table.getScanner(scan);
  }

  @Override
  public @Nullable Result next() throws IOException {
    while (true) {
      ResultScanner open = scanner;
      if (open == null) {
        return null;
      }
      try {
        Result result = open.next();
        if (result == null || result.isCursor()) {
          return result;
        }
        Result fresh = progress.note(result);
        if (fresh != null) {
          return fresh;
        }
      } catch (IOException e) {
        if (!progress.survives(e)) {
          throw e;
        }
        open.close();
        Scan rest = progress.rest();
        scanner = rest == null ? null : table.getScanner(rest);
      }
    }
  }

  @Override
  public void close() {
    if (scanner != null) {
      scanner.close();
    }
  }

  @Override
  public boolean renewLease() {
    return scanner != null && scanner.renewLease();
  }

  @Override
  public @Nullable ScanMetrics getScanMetrics() {
    return scanner == null ? null : scanner.getScanMetrics();
  }
}
