package io.evenkey.client.gather;

import io.evenkey.client.metrics.ScanMeters;
import io.evenkey.client.trace.OperationSpan;
import io.evenkey.layout.bytes.ByteString;
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

/**
 * A scan whose first rows servers gather. Where their answers end before it does, they are asked
 * once more, for all rows that are left; the client gathers the rest, if there still is one, and
 * all rows behind the last one if a server could not answer. Not thread-safe.
 */
final class ShortScan implements ResultScanner {
  private final AsyncTable<AdvancedScanResultConsumer> table;
  private final GatherOrder order;
  private final OperationSpan span;
  private List<Scan> scans;
  private @Nullable CompletableFuture<FirstRows> asked;
  private int answers;
  private Iterator<Result> rows = List.<Result>of().iterator();
  private @Nullable ByteString upTo;
  private @Nullable ResultScanner rest;
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
    while (!closed && rest == null) {
      if (returned == order.limit()) {
        close();
      } else if (rows.hasNext()) {
        Result logical = order.toLogical().apply(rows.next());
        if (logical != null) {
          returned++;
          return logical;
        }
      } else {
        advance();
      }
    }
    ResultScanner further = rest;
    return closed || further == null ? null : further.next();
  }

  /** Waits for the rows that follow, or begins to gather them. */
  private void advance() throws IOException {
    CompletableFuture<FirstRows> answer = asked;
    asked = null;
    if (answer != null) {
      await(answer);
    } else if (upTo == null) {
      close();
    } else {
      scans = order.behind(scans, upTo.toArray());
      if (scans.isEmpty()) {
        close();
        return;
      }
      GatherOrder left = order.first(order.limit() - returned);
      if (answers == 1 && ServerGather.suits(table, scans, left)) {
        asked = ServerGather.ask(table, scans, left);
      } else {
        byClient();
      }
    }
  }

  private void await(CompletableFuture<FirstRows> answer) throws IOException {
    try {
      FirstRows first = answer.get();
      answers++;
      rows = first.rows().iterator();
      upTo = first.upTo();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted in a scan").initCause(e);
    } catch (ExecutionException e) {
      // Logged where servers are asked; the client can read all of it without them.
      byClient();
    }
  }

  private void byClient() {
    ScanMeters.returned(returned);
    rest = Gather.of(table, scans, order.byClient(order.limit() - returned), span);
  }

  @Override
  public void close() {
    if (rest != null) {
      rest.close();
    } else if (!closed) {
      ScanMeters.returned(returned);
      span.end();
    }
    closed = true;
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
