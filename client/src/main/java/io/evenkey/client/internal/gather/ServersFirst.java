/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.metrics.ScanMeters;
import io.evenkey.protocol.gather.GatherRule;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scan whose first rows region servers gather. If their answers end before the scan does, they
 * are asked once more; the client gathers the rest if there still is one, and all rows behind the
 * last one if a server could not answer. Rows that are needed in any case are requested when half
 * of an answer was taken.
 */
final class ServersFirst implements ScanStrategy {
  private static final Logger LOG = LoggerFactory.getLogger(ServersFirst.class);

  private final ScanContext context;
  private final GatherOrder order;
  private ScanRanges ranges;

  /** The answer that comes next. */
  private @Nullable CompletableFuture<FirstRows> asked;

  private int answers;
  private Iterator<Result> rows = Collections.emptyIterator();

  /** The answer of {@link #rows}, while nothing was requested that follows it. */
  private @Nullable FirstRows last;

  private int untilNext;

  /** All rows that were taken, and those of them that region servers gathered. */
  private long returned;

  private long gathered;
  private boolean ended;
  private volatile @Nullable ScanStrategy rest;
  private volatile boolean awaited;

  ServersFirst(ScanContext context, ScanRanges ranges, GatherOrder order) {
    this.context = context;
    this.ranges = ranges;
    this.order = order;
  }

  @Override
  public void start() {
    ask(order);
  }

  private void ask(GatherOrder left) {
    CompletableFuture<FirstRows> answer =
        Futures.begin(() -> ServerGather.ask(context.table(), ranges, left, answers));
    asked = answer;
    Futures.whenDone(
        answer,
        (first, error) -> context.news().run(),
        failure ->
            LOG.warn("scan failed at an answer: table={}", context.table().getName(), failure));
  }

  @Override
  public @Nullable Result next() throws IOException {
    while (!isEnded()) {
      ScanStrategy byClient = rest;
      CompletableFuture<FirstRows> answer = asked;
      if (rows.hasNext()) {
        if (--untilNext == 0) {
          openNext();
        }
        Result logical = order.toLogical().apply(rows.next());
        if (logical != null) {
          returned++;
          gathered++;
          return logical;
        }
      } else if (byClient != null) {
        // Its own limit counts from when it was begun, before the last rows of an answer.
        Result row = byClient.next();
        returned += row == null ? 0 : 1;
        return row;
      } else if (answer == null) {
        openNext();
        ended = asked == null && rest == null;
      } else if (answer.isDone()) {
        asked = null;
        take(answer);
      } else {
        return null;
      }
    }
    return null;
  }

  private void take(CompletableFuture<FirstRows> answer) throws IOException {
    if (answer.isCompletedExceptionally()) {
      // Logged where servers are asked; the client can read all of it without them.
      byClient();
      return;
    }
    FirstRows first = answer.join();
    context.waiting().begin();
    answers++;
    rows = first.rows().iterator();
    last = first;
    boolean enough = returned + first.rows().size() >= order.mostRows();
    untilNext = enough ? 0 : first.rows().size() / 2;
  }

  /** Begins to gather the rows behind the last answer, if there are any. */
  private void openNext() throws IOException {
    FirstRows answer = last;
    if (answer == null) {
      return;
    }
    ScanRanges behind = ranges.behind(answer, order);
    last = null;
    ranges = behind;
    if (behind.known().isEmpty()) {
      return;
    }
    GatherOrder left = order.after(returned);
    if (answers < GatherRule.REQUESTS
        && Gathering.of(context.table(), behind.known(), left) == Gathering.ON_SERVERS) {
      ask(left);
    } else {
      byClient();
    }
  }

  private void byClient() throws IOException {
    ScanStrategy byClient = ScanStrategy.of(context, ranges, order.after(returned).byClient());
    rest = byClient;
    byClient.awaits(awaited);
    byClient.start();
  }

  @Override
  public boolean isEnded() {
    ScanStrategy byClient = rest;
    return ended
        || returned == order.mostRows()
        || (byClient != null && !rows.hasNext() && byClient.isEnded());
  }

  @Override
  public boolean await(TimedScanner.@Nullable Time time) throws IOException {
    ScanStrategy byClient = rest;
    if (byClient != null) {
      return byClient.await(time);
    }
    CompletableFuture<FirstRows> answer = asked;
    if (answer == null) {
      return false;
    }
    try {
      if (time == null) {
        answer.get();
      } else {
        answer.get(time.leftMs().getAsLong(), TimeUnit.MILLISECONDS);
      }
      return true;
    } catch (TimeoutException e) {
      throw time == null ? new IOException(e) : time.late().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted in a scan").initCause(e);
    } catch (ExecutionException e) {
      return false;
    }
  }

  @Override
  public @Nullable Throwable survived() {
    ScanStrategy byClient = rest;
    return byClient == null ? null : byClient.survived();
  }

  @Override
  public @Nullable Merge merge() {
    ScanStrategy byClient = rest;
    return byClient == null ? null : byClient.merge();
  }

  @Override
  public void awaits(boolean isAwaited) {
    awaited = isAwaited;
    ScanStrategy byClient = rest;
    if (byClient != null) {
      byClient.awaits(isAwaited);
    }
  }

  @Override
  public void end() {
    ended = true;
  }

  @Override
  public void close() {
    end();
    ScanMeters.returned(gathered);
    ScanStrategy byClient = rest;
    if (byClient != null) {
      byClient.close();
    }
  }
}
