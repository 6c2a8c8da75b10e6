/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.metrics.ScanMeters;
import io.evenkey.client.internal.trace.OperationSpan;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer.ScanResumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * Buffers the results of one range until the merge takes them.
 *
 * <p>The range is read by one scan at a time. Before a request, a scan waits for a <i>slot</i> in
 * the {@link ServerQueue} of the region server. The scan is suspended when the buffer is full, or
 * when other ranges wait for the same server; it is resumed when it has the next slot. After a
 * failure, the next scan begins behind the last row that arrived. A range of a limited scan is read
 * in portions: when one is used up, the next one is scanned.
 *
 * <pre>
 * state      event                                 next state
 * ---------  ------------------------------------  ----------------------------------------------
 * QUEUED     rows of a gather, and rows are left   QUEUED, or PAUSED at the end of the portion
 *            rows of a gather, no row is left      COMPLETE
 *            slot, rows are left                   SCANNING
 *            slot, no row is left                  COMPLETE
 * SCANNING   results, the buffer is full           SUSPENDED   the slot is free
 *            results, others wait for the server   RESUMING    the slot is free, the next one is asked for
 *            results, end of the portion           PAUSED
 *            end of the scan                       COMPLETE
 *            failure that a new scan may survive   RETRYING
 *            other failure                         FAILED
 * SUSPENDED  poll, the buffer is half empty        RESUMING
 *            release (the application is idle)     RELEASING
 * RESUMING   slot                                  SCANNING
 * RELEASING  slot: the scan is resumed, and ended in its next callback, since HBase can stop a
 *            scan in callbacks only                PAUSED
 * PAUSED     poll, the buffer is empty             QUEUED
 * RETRYING   the pause is over                     QUEUED
 * any        close                                 CLOSED; COMPLETE and FAILED remain
 * </pre>
 *
 * <p><b>Locks.</b> This object's lock guards all fields. HBase's threads call the {@link Attempt},
 * the merging thread polls and waits. Neither a queue nor a listener is called under the lock,
 * because both may call back into this or another range.
 */
final class RangeBuffer implements ServerQueue.Waiter {
  /** Between a failure and the next try, so that no server is asked without a pause. */
  private static final long PAUSE_MILLIS = 200;

  /** See the table of the class. */
  private enum State {
    /** Waits for a slot to scan the rest of the range. */
    QUEUED,
    /** A scan is under way. */
    SCANNING,
    /** The scan is suspended, and keeps its scanner on the region server. */
    SUSPENDED,
    /** Waits for a slot to resume the suspended scan. */
    RESUMING,
    /** The suspended scan is being ended, so that the region server closes its scanner. */
    RELEASING,
    /** There is no scan; the rest is scanned when the buffer is empty. */
    PAUSED,
    /** A scan has failed; the next one begins after a pause. */
    RETRYING,
    /** All results have arrived. */
    COMPLETE,
    /** The range cannot be read. */
    FAILED,
    /** The gather needs no more results. */
    CLOSED
  }

  /** Rows of one answer, and their size on the heap. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Answer(Result[] rows, long bytes) {}

  private final AsyncTable<AdvancedScanResultConsumer> table;
  private final ServerQueues queues;
  private final Scan scan;
  private final FetchSize fetchSize;
  private final @Nullable LimitShares shares;
  private final RangeProgress progress;
  private final OperationSpan span;
  private final Runnable listener;
  private final IdleScans idle;
  private final ArrayDeque<Answer> answers = new ArrayDeque<>();
  private final List<ScanMetrics> metrics = new ArrayList<>();
  private volatile long heldBytes;
  private long cells;
  private @Nullable ServerQueue queue;

  private State state = State.QUEUED;

  /** Resumes the suspended scan. */
  private @Nullable ScanResumer suspended;

  /** The consumer of the scan under way or suspended; calls of earlier ones are ignored. */
  private @Nullable Attempt current;

  /** The number of rows of the range after which the portion that is scanned ends. */
  private long end = Long.MAX_VALUE;

  private @Nullable Throwable failure;

  /** Why the rest of the range is scanned again; null if it has answered since. */
  private @Nullable Throwable survived;

  private boolean heartbeat;
  private @Nullable Cursor cursor;

  /**
   * An empty buffer.
   *
   * @param scan has the size of the largest answer, which is also the size of the buffer
   * @param shares the portions in which the range is read; null to read it whole
   * @param span the operation for which the range is read
   * @param listener is called when results or the end have arrived, in the thread of the event
   * @param idle is notified when the scan is suspended
   */
  RangeBuffer(
      AsyncTable<AdvancedScanResultConsumer> table,
      ServerQueues queues,
      Scan scan,
      FetchSize fetchSize,
      @Nullable LimitShares shares,
      OperationSpan span,
      Runnable listener,
      IdleScans idle) {
    this.table = table;
    this.queues = queues;
    this.scan = scan;
    this.fetchSize = fetchSize;
    this.shares = shares;
    this.progress = new RangeProgress(scan);
    this.span = span;
    this.listener = listener;
    this.idle = idle;
  }

  /** Asks for a slot on the region server where the rest of the range begins. */
  void start() {
    synchronized (this) {
      if (state != State.CLOSED) {
        state = State.QUEUED;
      }
    }
    span.run(
        () ->
            queues.to(
                progress.position(),
                to -> {
                  synchronized (this) {
                    queue = to;
                  }
                  to.enter(this);
                },
                this::broken));
  }

  /** The number of rows that the first request asks for. */
  int firstPortion() {
    int rows = fetchSize.rows();
    return shares == null ? rows : Math.min(rows, shares.next(0));
  }

  /**
   * Takes the first rows, which the region server has sent together with those of other ranges, so
   * that no scan has to bring them.
   *
   * @return whether the scan of the rest has to be {@linkplain #start started} now
   */
  synchronized boolean begin(BegunRange begun) {
    if (state != State.QUEUED) {
      return false;
    }
    if (!begun.rows().isEmpty()) {
      add(begun.rows().toArray(new Result[0]));
    }
    if (begun.isWhole()) {
      state = State.COMPLETE;
    } else if (shares != null) {
      state = State.PAUSED;
    }
    notifyAll();
    return state == State.QUEUED;
  }

  /** Something that is not HBase's has failed, which would otherwise be waited for in vain. */
  void broken(Throwable error) {
    synchronized (this) {
      current = null;
      if (state != State.CLOSED && state != State.COMPLETE) {
        fail(error);
      }
    }
    signal();
  }

  @Override
  public void go() {
    ScanResumer resumer;
    Scan rest = null;
    Attempt attempt;
    synchronized (this) {
      resumer = suspended;
      suspended = null;
      if (state == State.RESUMING) {
        state = State.SCANNING;
      } else if (state == State.QUEUED) {
        rest = begin();
      }
      attempt = current;
    }
    if (resumer != null) {
      send(attempt, resumer::resume);
    } else if (rest != null && attempt != null) {
      Scan scanned = rest;
      Attempt scanning = attempt;
      send(scanning, () -> table.scan(scanned, scanning));
    } else {
      leave();
      signal();
    }
  }

  /** Sends a request. An exception of HBase's, thrown at once, counts as the scan's failure. */
  private void send(@Nullable Attempt attempt, Runnable request) {
    try {
      span.run(request);
    } catch (Throwable e) {
      if (attempt == null) {
        broken(e);
      } else {
        attempt.onError(e);
      }
    }
  }

  private synchronized @Nullable Scan begin() {
    try {
      Scan rest = rest();
      state = rest == null ? State.COMPLETE : State.SCANNING;
      current = rest == null ? null : new Attempt();
      return rest;
    } catch (Throwable e) {
      fail(e);
      return null;
    }
  }

  private synchronized @Nullable Scan rest() throws IOException {
    int portion = 0;
    if (shares != null) {
      portion = shares.next(progress.rows());
      if (portion == 0) {
        return null;
      }
    }
    Scan rest = progress.rest(portion);
    if (rest == null) {
      return null;
    }
    boolean whole = LimitShares.countRows(scan);
    end = whole && rest.getLimit() > 0 ? progress.rows() + rest.getLimit() : Long.MAX_VALUE;
    return fetchSize.of(rest);
  }

  /** The consumer of one scan of the range's rest. */
  private final class Attempt implements AdvancedScanResultConsumer {
    @Override
    public void onNext(Result[] results, ScanController controller) {
      Throwable broken = null;
      State after;
      synchronized (RangeBuffer.this) {
        if (isStale()) {
          controller.terminate();
          return;
        }
        try {
          add(results);
        } catch (Throwable e) {
          // HBase would log the exception, and the range would never end.
          controller.terminate();
          broken = e;
        }
        if (broken == null) {
          if (progress.rows() >= end) {
            // Does not wait for onComplete: where the last row arrived in several answers, an
            // assertion of HBase's fails, and onComplete is not called.
            ended();
          } else if (heldBytes >= scan.getMaxResultSize()) {
            suspended = controller.suspend();
            state = State.SUSPENDED;
          } else if (queue().isCrowded()) {
            suspended = controller.suspend();
            state = State.RESUMING;
          }
        }
        after = state;
        RangeBuffer.this.notifyAll();
      }
      if (broken != null) {
        onError(broken);
        return;
      }
      try {
        if (after == State.SUSPENDED) {
          idle.suspended();
        } else if (after == State.RESUMING) {
          queue().enter(RangeBuffer.this);
        }
        if (after != State.SCANNING) {
          leave();
        }
        listener.run();
      } catch (Throwable e) {
        broken(e);
      }
    }

    @Override
    public void onHeartbeat(ScanController controller) {
      synchronized (RangeBuffer.this) {
        if (isStale()) {
          controller.terminate();
          return;
        }
        heartbeat = true;
        survived = null;
        cursor = controller.cursor().orElse(null);
      }
      signal();
    }

    @Override
    public void onError(Throwable error) {
      State after;
      synchronized (RangeBuffer.this) {
        if (current != this) {
          return;
        }
        current = null;
        if (state == State.RELEASING) {
          released();
        } else if (state != State.CLOSED) {
          if (progress.survives(error)) {
            state = State.RETRYING;
            survived = error;
          } else {
            fail(RangeFailure.of(table.getName(), scan, queue().server(), error));
          }
        }
        after = state;
      }
      leave();
      if (after == State.RETRYING) {
        Futures.after(PAUSE_MILLIS, RangeBuffer.this::start, RangeBuffer.this::broken);
      } else {
        signal();
      }
    }

    @Override
    public void onComplete() {
      synchronized (RangeBuffer.this) {
        if (current != this) {
          return;
        }
        if (state == State.RELEASING) {
          released();
        } else {
          ended();
        }
      }
      leave();
      signal();
    }

    /** Whether results of this scan are not wanted: then the callback ends it. */
    private boolean isStale() {
      return state != State.SCANNING || current != this;
    }

    @Override
    public void onScanMetricsCreated(ScanMetrics created) {
      synchronized (RangeBuffer.this) {
        metrics.add(created);
      }
    }
  }

  private synchronized void add(Result[] results) {
    ScanMeters.fetched(results.length);
    for (Result result : results) {
      cells += result.size();
    }
    Answer answer = answer(results);
    if (answer.rows.length > 0) {
      answers.add(answer);
    }
    heldBytes += answer.bytes;
    survived = null;
    heartbeat = false;
    fetchSize.answered();
  }

  private Answer answer(Result[] results) {
    int fresh = 0;
    long bytes = 0;
    for (int i = 0; i < results.length; i++) {
      Result result = progress.note(results[i]);
      if (result != null) {
        results[fresh++] = result;
        for (Cell cell : result.rawCells()) {
          bytes += cell.heapSize();
        }
      }
    }
    return new Answer(fresh == results.length ? results : Arrays.copyOf(results, fresh), bytes);
  }

  /** The scan has delivered all that it was asked for. */
  private synchronized void ended() {
    current = null;
    if (state != State.CLOSED) {
      state = shares != null && progress.rows() >= end ? State.PAUSED : State.COMPLETE;
    }
  }

  /** The scan was ended before its end. */
  private synchronized void released() {
    current = null;
    state = State.PAUSED;
    fetchSize.asMuchAsBefore();
  }

  private synchronized void fail(Throwable error) {
    failure = error;
    state = State.FAILED;
  }

  private void leave() {
    queue().leave();
  }

  private synchronized ServerQueue queue() {
    ServerQueue on = queue;
    if (on == null) {
      throw new IllegalStateException("not on the way to a server: " + scan);
    }
    return on;
  }

  private void signal() {
    synchronized (this) {
      notifyAll();
    }
    listener.run();
  }

  /** Takes the next results; null if there are none now. */
  Result @Nullable [] poll() {
    Answer answer;
    State before;
    State after;
    synchronized (this) {
      answer = answers.poll();
      if (answer != null) {
        heldBytes -= answer.bytes;
      }
      before = state;
      if (state == State.SUSPENDED && heldBytes <= scan.getMaxResultSize() / 2) {
        state = State.RESUMING;
      } else if (state == State.PAUSED && answer == null) {
        state = State.QUEUED;
      }
      after = state;
    }
    if (after != before) {
      if (after == State.RESUMING) {
        queue().enter(this);
      } else {
        start();
      }
    }
    return answer == null ? null : answer.rows;
  }

  private boolean isWorthPolling() {
    return !answers.isEmpty()
        || heartbeat
        || switch (state) {
          case PAUSED, COMPLETE, FAILED, CLOSED -> true;
          case QUEUED, SCANNING, SUSPENDED, RESUMING, RELEASING, RETRYING -> false;
        };
  }

  /**
   * Waits for results, the end of the range, or a heartbeat.
   *
   * @param time for how long at most; null for no limit
   * @throws IOException if none of these has come by then
   */
  synchronized void await(TimedScanner.@Nullable Time time) throws IOException {
    if (isWorthPolling()) {
      return;
    }
    long start = System.nanoTime();
    try {
      while (!isWorthPolling()) {
        long leftMs = time == null ? 0 : time.leftMs().getAsLong();
        if (time != null && leftMs <= 0) {
          throw time.late().get();
        }
        // 0 is for no limit here.
        wait(leftMs);
      }
      ScanMeters.waited(System.nanoTime() - start);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(
          "interrupted while waiting for a range of " + table.getName());
    }
  }

  @Override
  public long heldBytes() {
    return heldBytes;
  }

  /** Whether all results have arrived and were taken. */
  synchronized boolean isExhausted() {
    return state == State.COMPLETE && answers.isEmpty();
  }

  synchronized @Nullable Throwable failure() {
    return failure;
  }

  /** Why the rest of the range is scanned again; null if it has answered since. */
  synchronized @Nullable Throwable survived() {
    return survived;
  }

  /** Whether there was a heartbeat since the last call, and no result after it. */
  synchronized boolean pollHeartbeat() {
    boolean beat = heartbeat;
    heartbeat = false;
    return beat;
  }

  /** The position of the scan at the last heartbeat, if the scan asks for cursors. */
  synchronized @Nullable Cursor cursor() {
    return cursor;
  }

  /** The number of cells that have arrived. */
  synchronized long cells() {
    return cells;
  }

  /** The metrics of each scan of the range. */
  synchronized List<ScanMetrics> metrics() {
    return List.copyOf(metrics);
  }

  /**
   * Ends the scan if it is suspended, so that the region server closes its scanner. Buffered rows
   * stay; the rest of the range is scanned when they are taken.
   *
   * @return whether the scan was suspended
   */
  boolean release() {
    synchronized (this) {
      if (state != State.SUSPENDED) {
        return false;
      }
      state = State.RELEASING;
      fetchSize.asLittleAsPossible();
    }
    queue().enter(this);
    return true;
  }

  /** Drops the buffer. A scan that is under way ends in its next callback. */
  void close() {
    boolean wasSuspended;
    synchronized (this) {
      wasSuspended = state == State.SUSPENDED;
      if (state != State.COMPLETE && state != State.FAILED) {
        state = State.CLOSED;
      }
      answers.clear();
      heldBytes = 0;
      fetchSize.asLittleAsPossible();
      notifyAll();
    }
    if (wasSuspended) {
      queue().enter(this);
    }
  }
}
