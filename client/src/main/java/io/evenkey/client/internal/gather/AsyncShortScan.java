/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.metrics.ScanMeters;
import io.evenkey.client.internal.trace.OperationSpan;
import io.evenkey.layout.gather.GatherRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * As {@link ShortScan}, for an observer: it gets the rows of each answer in one call, and the rest,
 * if there is one, from an {@link AsyncGather}. HBase calls one thread at a time.
 */
final class AsyncShortScan {
  private static final Logger LOG = LoggerFactory.getLogger(AsyncShortScan.class);

  private final AsyncTable<AdvancedScanResultConsumer> table;
  private final GatherOrder order;
  private final OperationSpan span;
  private final AdvancedScanResultConsumer observer;
  private ScanRanges ranges;
  private int answers;
  private long returned;
  private boolean ended;

  private AsyncShortScan(
      AsyncTable<AdvancedScanResultConsumer> table,
      ScanRanges ranges,
      GatherOrder order,
      OperationSpan span,
      AdvancedScanResultConsumer observer) {
    this.table = table;
    this.ranges = ranges;
    this.order = order;
    this.span = span;
    this.observer = observer;
  }

  static void start(
      AsyncTable<AdvancedScanResultConsumer> table,
      ScanRanges ranges,
      GatherOrder order,
      OperationSpan span,
      AdvancedScanResultConsumer observer) {
    new AsyncShortScan(table, ranges, order, span, observer).ask();
  }

  private void ask() {
    Futures.whenDone(
        Futures.begin(() -> ServerGather.ask(table, ranges, order.after(returned), answers)),
        (answer, error) -> {
          if (error == null) {
            answers++;
            span.run(() -> deliver(answer));
          } else {
            // Logged where servers are asked; the client can read all of it without them.
            byClient();
          }
        },
        this::fail);
  }

  private void byClient() {
    ScanMeters.returned(returned);
    AsyncGather.start(table, ranges, order.after(returned).byClient(), span, observer);
    ended = true;
  }

  private void deliver(FirstRows answer) {
    try {
      List<Result> rows = new ArrayList<>();
      for (Result row : answer.rows()) {
        Result logical = returned < order.mostRows() ? order.toLogical().apply(row) : null;
        if (logical != null) {
          returned++;
          rows.add(logical);
        }
      }
      Controller controller = new Controller(answer);
      if (!rows.isEmpty()) {
        observer.onNext(rows.toArray(new Result[0]), controller);
      }
      controller.returned();
    } catch (Throwable e) {
      fail(e);
    }
  }

  private void proceed(FirstRows answer) {
    try {
      if (returned == order.mostRows()) {
        complete();
        return;
      }
      ranges = ranges.behind(answer, order);
      if (ranges.known().isEmpty()) {
        complete();
        return;
      }
      if (answers < GatherRule.REQUESTS
          && Gathering.of(table, ranges.known(), order.after(returned)) == Gathering.ON_SERVERS) {
        ask();
      } else {
        byClient();
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  private void complete() {
    ended = true;
    ScanMeters.returned(returned);
    try {
      observer.onComplete();
    } catch (Throwable e) {
      LOG.warn("observer of a scan failed at its end", e);
    }
    span.end();
  }

  private void fail(Throwable failure) {
    if (ended) {
      LOG.warn("scan failed at its end", failure);
      return;
    }
    ended = true;
    ScanMeters.returned(returned);
    span.fail(failure);
    try {
      observer.onError(failure);
    } catch (Throwable e) {
      LOG.warn("observer of a scan failed at its end", e);
    }
    span.end();
  }

  /** The controller that the observer may use while it has the first rows; thread-safe. */
  private final class Controller implements AdvancedScanResultConsumer.ScanController {
    private final FirstRows answer;
    private boolean terminated;
    private boolean suspended;
    private boolean isReturned;

    Controller(FirstRows answer) {
      this.answer = answer;
    }

    @Override
    public synchronized AdvancedScanResultConsumer.ScanResumer suspend() {
      suspended = true;
      return this::resume;
    }

    @Override
    public synchronized void terminate() {
      terminated = true;
    }

    @Override
    public Optional<Cursor> cursor() {
      return Optional.empty();
    }

    private void resume() {
      synchronized (this) {
        if (!suspended) {
          return;
        }
        suspended = false;
        if (!isReturned) {
          return;
        }
      }
      span.run(() -> proceed(answer));
    }

    /** The observer has returned from its call. */
    void returned() {
      boolean ended;
      synchronized (this) {
        isReturned = true;
        if (suspended && !terminated) {
          return;
        }
        ended = terminated;
      }
      if (ended) {
        complete();
      } else {
        proceed(answer);
      }
    }
  }
}
