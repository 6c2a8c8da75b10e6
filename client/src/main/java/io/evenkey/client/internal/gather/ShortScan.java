/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.internal.metrics.ScanMeters;
import io.evenkey.client.internal.trace.OperationSpan;
import io.evenkey.layout.gather.GatherRule;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * A scan whose first rows region servers gather. If their answers end before the scan does, they
 * are asked once more; the client gathers the rest if there still is one, and all rows behind the
 * last one if a server could not answer. Rows that are needed in any case are requested while the
 * caller reads the second half of an answer. Not thread-safe.
 */
final class ShortScan implements TimedScanner {
  private final AsyncTable<AdvancedScanResultConsumer> table;
  private final GatherOrder order;
  private final OperationSpan span;
  private ScanRanges ranges;
  private @Nullable CompletableFuture<FirstRows> asked;
  private int answers;
  private Iterator<Result> rows = List.<Result>of().iterator();
  private @Nullable FirstRows last;
  private int untilNext;
  private @Nullable ResultScanner rest;
  private @Nullable Time first;
  private long returned;
  private long gathered;
  private boolean closed;

  ShortScan(
      AsyncTable<AdvancedScanResultConsumer> table,
      ScanRanges ranges,
      GatherOrder order,
      OperationSpan span) {
    this.table = table;
    this.ranges = ranges;
    this.order = order;
    this.span = span;
    this.asked = ServerGather.ask(table, ranges, order, 0);
  }

  @Override
  public @Nullable Result next() throws IOException {
    while (!closed) {
      if (returned == order.mostRows()) {
        close();
      } else if (rows.hasNext()) {
        Result logical = order.toLogical().apply(rows.next());
        if (--untilNext == 0) {
          openNext();
        }
        if (logical != null) {
          returned++;
          gathered++;
          return logical;
        }
      } else if (rest != null) {
        Result row = rest.next();
        if (row != null) {
          returned++;
        }
        return row;
      } else {
        advance();
      }
    }
    return null;
  }

  /** Waits for the next answer, or ends if there is none. */
  private void advance() throws IOException {
    openNext();
    CompletableFuture<FirstRows> answer = asked;
    if (answer != null) {
      asked = null;
      await(answer);
    } else if (rest == null) {
      close();
    }
  }

  private void await(CompletableFuture<FirstRows> answer) throws IOException {
    try {
      FirstRows answered = inTime(answer);
      first = null;
      answers++;
      rows = answered.rows().iterator();
      last = answered;
      // Rows that follow are gathered while the caller reads the second half of these.
      boolean enough = returned + answered.rows().size() >= order.mostRows();
      untilNext = enough ? 0 : answered.rows().size() / 2;
    } catch (TimeoutException e) {
      close();
      throw late(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted in a scan").initCause(e);
    } catch (ExecutionException e) {
      // Logged where servers are asked; the client can read all of it without them.
      byClient();
    }
  }

  private FirstRows inTime(CompletableFuture<FirstRows> answer)
      throws InterruptedException, ExecutionException, TimeoutException {
    Time time = first;
    return time == null
        ? answer.get()
        : answer.get(time.leftMs().getAsLong(), TimeUnit.MILLISECONDS);
  }

  private IOException late(TimeoutException e) {
    Time time = first;
    return time == null ? new IOException(e) : time.late().get();
  }

  @Override
  public void boundFirst(Time time) {
    first = time;
  }

  /** Begins to gather the rows behind the last answer, if there are any. */
  private void openNext() throws IOException {
    FirstRows answer = last;
    if (answer == null) {
      return;
    }
    last = null;
    ranges = ranges.behind(answer, order);
    if (ranges.known().isEmpty()) {
      return;
    }
    GatherOrder left = order.after(returned);
    if (answers < GatherRule.REQUESTS
        && Gathering.of(table, ranges.known(), left) == Gathering.ON_SERVERS) {
      asked = ServerGather.ask(table, ranges, left, answers);
    } else {
      byClient();
    }
  }

  private void byClient() throws IOException {
    TimedScanner scanner = Gather.of(table, ranges, order.after(returned).byClient(), span);
    if (first != null) {
      scanner.boundFirst(first);
    }
    rest = scanner;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    ScanMeters.returned(gathered);
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
