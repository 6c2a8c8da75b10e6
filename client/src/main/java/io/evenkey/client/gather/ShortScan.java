package io.evenkey.client.gather;

import io.evenkey.client.metrics.ScanMeters;
import io.evenkey.client.trace.OperationSpan;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scan whose first rows servers gather, and whose rest, if there is one, is gathered by the
 * client: it begins behind the last row. Not thread-safe.
 */
final class ShortScan implements ResultScanner {
  private static final Logger LOG = LoggerFactory.getLogger(ShortScan.class);

  private final AsyncTable<AdvancedScanResultConsumer> table;
  private final List<Scan> scans;
  private final GatherOrder order;
  private final OperationSpan span;
  private final CompletableFuture<FirstRows> asked;
  private @Nullable Iterator<Result> rows;
  private @Nullable ResultScanner rest;
  private byte @Nullable [] upTo;
  private long returned;
  private boolean closed;

  ShortScan(
      AsyncTable<AdvancedScanResultConsumer> table,
      List<Scan> scans,
      GatherOrder order,
      OperationSpan span) {
    this.table = table;
    this.scans = scans;
    this.order = order;
    this.span = span;
    this.asked = ServerGather.ask(table, scans, order);
  }

  @Override
  public @Nullable Result next() throws IOException {
    if (closed) {
      return null;
    }
    Iterator<Result> first = rows == null ? first() : rows;
    rows = first;
    while (rest == null) {
      if (returned == order.limit()) {
        close();
        return null;
      }
      if (first.hasNext()) {
        Result logical = order.toLogical().apply(first.next());
        if (logical != null) {
          returned++;
          return logical;
        }
      } else if (upTo == null) {
        close();
        return null;
      } else {
        rest = behind(upTo);
      }
    }
    return rest.next();
  }

  private Iterator<Result> first() throws IOException {
    try {
      FirstRows answer = asked.get();
      upTo = answer.upTo();
      ScanMeters.asked(true);
      return answer.rows().iterator();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted in a scan").initCause(e);
    } catch (ExecutionException e) {
      ScanMeters.asked(false);
      LOG.debug("scan not gathered by servers: table={}", table.getName(), e.getCause());
      rest = Gather.of(table, scans, order.byClient(order.limit()), span);
      return List.<Result>of().iterator();
    }
  }

  /** The gather of the rows behind a logical key. */
  private ResultScanner behind(byte[] key) throws IOException {
    return Gather.of(
        table, order.behind(scans, key), order.byClient(order.limit() - returned), span);
  }

  @Override
  public void close() {
    closed = true;
    if (rest == null) {
      span.end();
    } else {
      rest.close();
    }
  }

  @Override
  public boolean renewLease() {
    return rest != null && rest.renewLease();
  }

  @Override
  public @Nullable ScanMetrics getScanMetrics() {
    return null;
  }
}
