/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.trace.OperationSpan;
import io.opentelemetry.context.Context;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.ScanResultConsumerBase;
import org.apache.hadoop.hbase.client.TableSpans;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * Runs the scans of a table: in HBase's own threads, or in those of a pool. Thread-safe.
 *
 * @param <C> the type of their consumers
 */
public abstract sealed class AsyncScans<C extends ScanResultConsumerBase> {
  /**
   * The number of times that a scan asks one server, in about eight seconds by HBase's pauses,
   * before it looks where the rest of its range is now.
   */
  public static final int AT_ONE_SERVER = 8;

  private final AsyncConnection plain;
  private final TableSpans spans;
  private final long budgetBytes;
  private final CallSettings settings;

  private AsyncScans(AsyncConnection plain, long budgetBytes, CallSettings settings) {
    this.plain = plain;
    this.spans = TableSpans.on(plain);
    this.budgetBytes = budgetBytes;
    this.settings = settings;
  }

  /**
   * In HBase's own threads, which observers must not hold up.
   *
   * @param settings of the table
   */
  public static AsyncScans<AdvancedScanResultConsumer> inHBaseThreads(
      AsyncConnection plain, long budgetBytes, CallSettings settings) {
    return new Unpooled(plain, budgetBytes, settings);
  }

  /**
   * One thread of a pool for each scan while it lasts; what else completes, completes in one.
   *
   * @param settings of the table
   */
  public static AsyncScans<ScanResultConsumer> in(
      Executor pool, AsyncConnection plain, long budgetBytes, CallSettings settings) {
    return new Pooled(pool, plain, budgetBytes, settings);
  }

  /** About how many bytes all ranges of a scan together may hold ahead of its observer. */
  long budgetBytes() {
    return budgetBytes;
  }

  /** The trace spans of a table's operations. */
  TableSpans spans() {
    return spans;
  }

  /** Opens the table for scans that read ahead. */
  ScannedTable like(AsyncTable<?> table) {
    return ScannedTable.of(plain, table.getName(), spans, settings);
  }

  /** Opens the table for a scan of HBase's own. */
  AsyncTable<AdvancedScanResultConsumer> own(AsyncTable<?> table) {
    AsyncTableBuilder<AdvancedScanResultConsumer> builder = plain.getTableBuilder(table.getName());
    settings.to(builder);
    return builder.build();
  }

  abstract void start(AsyncTable<C> table, PhysicalScans scans, C observer);

  /** Starts a scan of the table of an index. */
  abstract void start(IndexTableReads index, Scan scan, C observer) throws IOException;

  /** The future, completed in the threads in which the scans run. */
  abstract CompletableFuture<List<Result>> complete(CompletableFuture<List<Result>> rows);

  private static final class Unpooled extends AsyncScans<AdvancedScanResultConsumer> {
    Unpooled(AsyncConnection plain, long budgetBytes, CallSettings settings) {
      super(plain, budgetBytes, settings);
    }

    @Override
    void start(
        AsyncTable<AdvancedScanResultConsumer> table,
        PhysicalScans scans,
        AdvancedScanResultConsumer observer) {
      scans.start(like(table), observer);
    }

    @Override
    void start(IndexTableReads index, Scan scan, AdvancedScanResultConsumer observer)
        throws IOException {
      ConsumedRows.begin(index.publisher(scan), observer);
    }

    @Override
    CompletableFuture<List<Result>> complete(CompletableFuture<List<Result>> rows) {
      return rows;
    }
  }

  private static final class Pooled extends AsyncScans<ScanResultConsumer> {
    private final Executor pool;

    Pooled(Executor pool, AsyncConnection plain, long budgetBytes, CallSettings settings) {
      super(plain, budgetBytes, settings);
      this.pool = pool;
    }

    @Override
    void start(AsyncTable<ScanResultConsumer> table, PhysicalScans scans, ScanResultConsumer to) {
      begin(() -> run(like(table), scans, to), to);
    }

    @Override
    void start(IndexTableReads index, Scan scan, ScanResultConsumer observer) {
      begin(() -> run(index, scan, observer), observer);
    }

    private void begin(Runnable scan, ScanResultConsumer observer) {
      Futures.execute(pool, Context.current().wrap(scan), observer::onError);
    }

    private static void run(IndexTableReads index, Scan scan, ScanResultConsumer observer) {
      try (ResultScanner scanner = index.scanner(scan)) {
        end(read(scanner, observer), observer);
      } catch (IOException e) {
        observer.onError(e);
      }
    }

    private static void end(@Nullable Throwable failure, ScanResultConsumer observer) {
      if (failure == null) {
        observer.onComplete();
      } else {
        observer.onError(failure);
      }
    }

    private static void run(ScannedTable table, PhysicalScans scans, ScanResultConsumer observer) {
      OperationSpan span = scans.span(table);
      span.run(() -> run(table, scans, span, observer));
    }

    private static void run(
        ScannedTable table, PhysicalScans scans, OperationSpan span, ScanResultConsumer observer) {
      ResultScanner scanner;
      try {
        scanner = scans.gather(table, span);
      } catch (IOException | RuntimeException | Error e) {
        span.fail(e);
        span.end();
        observer.onError(e);
        return;
      }
      try (scanner) {
        Throwable failure = read(scanner, observer);
        // As HBase does it: before the scanner is closed.
        if (failure != null) {
          span.fail(failure);
        }
        end(failure, observer);
      }
    }

    // Why the scan ended before its end; null if it did not, or the observer wanted no more.
    private static @Nullable Throwable read(ResultScanner scanner, ScanResultConsumer observer) {
      try {
        ScanMetrics metrics = scanner.getScanMetrics();
        if (metrics != null) {
          observer.onScanMetricsCreated(metrics);
        }
        for (Result row = scanner.next(); row != null; row = scanner.next()) {
          if (!observer.onNext(row)) {
            break;
          }
        }
        // Brings the counts up to date.
        scanner.getScanMetrics();
        return null;
      } catch (IOException | RuntimeException | Error e) {
        return e;
      }
    }

    @Override
    CompletableFuture<List<Result>> complete(CompletableFuture<List<Result>> rows) {
      return Futures.in(pool, rows);
    }
  }
}
