package io.evenkey.client.gather;

import io.evenkey.client.metrics.ScanMeters;
import io.evenkey.client.trace.OperationSpan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * As {@link ShortScan}, for an observer: it gets the first rows in one call, and the rest, if there
 * is one, from an {@link AsyncGather}.
 */
final class AsyncShortScan {
  private static final Logger LOG = LoggerFactory.getLogger(AsyncShortScan.class);

  private final AsyncTable<AdvancedScanResultConsumer> table;
  private final List<Scan> scans;
  private final GatherOrder order;
  private final OperationSpan span;
  private final AdvancedScanResultConsumer observer;

  private AsyncShortScan(
      AsyncTable<AdvancedScanResultConsumer> table,
      List<Scan> scans,
      GatherOrder order,
      OperationSpan span,
      AdvancedScanResultConsumer observer) {
    this.table = table;
    this.scans = scans;
    this.order = order;
    this.span = span;
    this.observer = observer;
  }

  static void start(
      AsyncTable<AdvancedScanResultConsumer> table,
      List<Scan> scans,
      GatherOrder order,
      OperationSpan span,
      AdvancedScanResultConsumer observer) {
    AsyncShortScan scan = new AsyncShortScan(table, scans, order, span, observer);
    FutureUtils.addListener(
        ServerGather.ask(table, scans, order),
        (answer, error) -> {
          ScanMeters.asked(error == null);
          if (error == null) {
            span.run(() -> scan.deliver(answer));
          } else {
            LOG.debug("scan not gathered by servers: table={}", table.getName(), error);
            AsyncGather.start(table, scans, order.byClient(order.limit()), span, observer);
          }
        });
  }

  private void deliver(FirstRows answer) {
    try {
      List<Result> rows = new ArrayList<>();
      for (Result row : answer.rows()) {
        Result logical = rows.size() < order.limit() ? order.toLogical().apply(row) : null;
        if (logical != null) {
          rows.add(logical);
        }
      }
      Controller controller = new Controller(answer, rows.size());
      if (!rows.isEmpty()) {
        observer.onNext(rows.toArray(new Result[0]), controller);
      }
      controller.returned();
    } catch (Throwable e) {
      fail(e);
    }
  }

  private void proceed(FirstRows answer, int returned) {
    byte[] upTo = answer.upTo();
    try {
      if (upTo == null || returned >= order.limit()) {
        complete();
      } else {
        AsyncGather.start(
            table,
            order.behind(scans, upTo),
            order.byClient(order.limit() - returned),
            span,
            observer);
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  private void complete() {
    try {
      observer.onComplete();
    } catch (RuntimeException e) {
      LOG.warn("observer of a scan failed at its end", e);
    }
    span.end();
  }

  private void fail(Throwable failure) {
    span.fail(failure);
    try {
      observer.onError(failure);
    } catch (RuntimeException e) {
      LOG.warn("observer of a scan failed at its end", e);
    }
    span.end();
  }

  /** What the observer may do while it has the first rows; thread-safe. */
  private final class Controller implements AdvancedScanResultConsumer.ScanController {
    private final FirstRows answer;
    private final int rows;
    private boolean terminated;
    private boolean suspended;
    private boolean isReturned;

    Controller(FirstRows answer, int rows) {
      this.answer = answer;
      this.rows = rows;
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
      span.run(() -> proceed(answer, rows));
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
        proceed(answer, rows);
      }
    }
  }
}
