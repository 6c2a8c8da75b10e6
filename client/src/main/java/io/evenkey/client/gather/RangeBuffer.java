package io.evenkey.client.gather;

import io.evenkey.client.metrics.ScanMeters;
import io.evenkey.client.trace.OperationSpan;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
 * What has come of one range and not been merged yet.
 *
 * <p>When it holds enough, or others wait for the same server, the range's scan is suspended, and
 * resumed when it is its turn and there is room. After a failure it goes on where the range is
 * then. A range of which only a portion was asked for is scanned on from there when that was not
 * enough. HBase's threads bring rows, the merging thread takes them: thread-safe.
 */
final class RangeBuffer implements ServerQueue.Turn {
  /** Between a failure and the next try, so that no server is asked without a pause. */
  private static final long PAUSE_MILLIS = 200;

  /** Rows and what they weigh. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Answer(Result[] rows, long bytes) {}

  private final AsyncTable<AdvancedScanResultConsumer> table;
  private final ServerQueues queues;
  private final Scan scan;
  private final FetchSize asking;
  private final @Nullable LimitShares portions;
  private final RangeProgress progress;
  private final OperationSpan span;
  private final Runnable news;
  private final IdleScans idle;
  private final ArrayDeque<Answer> answers = new ArrayDeque<>();
  private final List<ScanMetrics> metrics = new ArrayList<>();
  private volatile long heldBytes;
  private long cells;
  private @Nullable ServerQueue queue;

  /** What to do when the queue is free: go on with this, or scan again what is left. */
  private @Nullable ScanResumer suspended;

  private boolean waiting;

  /** The scan under way, if there is one. */
  private @Nullable Attempt current;

  /** After how many rows of the range the scan under way ends by itself. */
  private long end = Long.MAX_VALUE;

  /** The scan under way shall end: its scanner is not to be held for rows that are not taken. */
  private boolean lettingGo;

  /** The scan has ended before the range: what is left is scanned when all that came is taken. */
  private boolean paused;

  private boolean complete;
  private boolean closed;
  private @Nullable Throwable failure;
  private boolean heartbeat;
  private @Nullable Cursor cursor;

  /**
   * An empty buffer.
   *
   * @param scan says how large an answer may be, which is also how much is held
   * @param portions how much of the range is asked for at a time; all if null
   * @param span of what the range is read for
   * @param news called when something has come, in the thread that brought it
   * @param idle hears when the range is suspended until rows are taken
   */
  RangeBuffer(
      AsyncTable<AdvancedScanResultConsumer> table,
      ServerQueues queues,
      Scan scan,
      FetchSize asking,
      @Nullable LimitShares portions,
      OperationSpan span,
      Runnable news,
      IdleScans idle) {
    this.table = table;
    this.queues = queues;
    this.scan = scan;
    this.asking = asking;
    this.portions = portions;
    this.progress = new RangeProgress(scan);
    this.span = span;
    this.news = news;
    this.idle = idle;
  }

  /** Begins to scan what has not come yet, once there is room on the server where that begins. */
  void start() {
    synchronized (this) {
      waiting = true;
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
                }));
  }

  @Override
  public void go() {
    ScanResumer resumer;
    Scan rest = null;
    Attempt attempt = null;
    synchronized (this) {
      waiting = false;
      resumer = suspended;
      suspended = null;
      if (resumer == null && !closed) {
        try {
          rest = rest();
        } catch (IOException e) {
          failure = e;
        }
        complete |= rest == null;
        attempt = rest == null ? null : new Attempt();
        current = attempt;
      }
    }
    if (resumer != null) {
      send(current(), resumer::resume);
    } else if (rest != null && attempt != null) {
      Scan scanned = rest;
      Attempt scanning = attempt;
      send(scanning, () -> table.scan(scanned, scanning));
    } else {
      leave();
      tell();
    }
  }

  /** What is thrown at once would be lost, and the range would never end. */
  private void send(@Nullable Attempt attempt, Runnable request) {
    try {
      span.run(request);
    } catch (RuntimeException e) {
      if (attempt == null) {
        throw e;
      }
      attempt.onError(e);
    }
  }

  private synchronized @Nullable Attempt current() {
    return current;
  }

  private @Nullable Scan rest() throws IOException {
    paused = false;
    int portion = 0;
    if (portions != null) {
      portion = portions.next(progress.rows());
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
    return asking.of(rest);
  }

  /**
   * One scan of what there is of the range, or was when it began; a failure, or the end of a
   * portion, ends it.
   */
  private final class Attempt implements AdvancedScanResultConsumer {
    @Override
    public void onNext(Result[] results, ScanController controller) {
      Throwable broken = null;
      boolean enough = false;
      boolean again = false;
      boolean full = false;
      synchronized (RangeBuffer.this) {
        if (closed || lettingGo || current != this) {
          controller.terminate();
          return;
        }
        try {
          add(results);
        } catch (RuntimeException | Error e) {
          // Thrown on to HBase, it would be logged, and the range would never end.
          controller.terminate();
          broken = e;
        }
        enough = broken == null && progress.rows() >= end;
        if (enough) {
          // Not waiting to hear that it is complete: where the last row came in several answers,
          // HBase trips over an assertion of its own then, and says nothing.
          over();
        } else if (broken == null) {
          full = heldBytes >= scan.getMaxResultSize();
          again = !full && queue().isCrowded();
          if (full || again) {
            suspended = controller.suspend();
            waiting = again;
          }
        }
        RangeBuffer.this.notifyAll();
      }
      if (broken != null) {
        onError(broken);
        return;
      }
      if (full) {
        idle.suspended();
      } else if (again) {
        queue().enter(RangeBuffer.this);
      }
      if (full || again || enough) {
        leave();
      }
      news.run();
    }

    @Override
    public void onHeartbeat(ScanController controller) {
      synchronized (RangeBuffer.this) {
        if (closed || lettingGo || current != this) {
          controller.terminate();
          return;
        }
        heartbeat = true;
        cursor = controller.cursor().orElse(null);
      }
      tell();
    }

    @Override
    public void onError(Throwable error) {
      boolean again;
      synchronized (RangeBuffer.this) {
        if (current != this) {
          return;
        }
        current = null;
        if (lettingGo) {
          pause();
        }
        again = !closed && !paused && progress.survives(error);
        if (!closed && !paused && !again) {
          failure = RangeScanException.of(table.getName(), scan, queue().server(), error);
        }
      }
      leave();
      if (again) {
        CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS)
            .execute(RangeBuffer.this::start);
      } else {
        tell();
      }
    }

    @Override
    public void onComplete() {
      synchronized (RangeBuffer.this) {
        if (current != this) {
          return;
        }
        if (lettingGo) {
          pause();
        } else {
          over();
        }
      }
      leave();
      tell();
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
    heartbeat = false;
    asking.answered();
  }

  private Answer answer(Result[] results) {
    int fresh = 0;
    long bytes = 0;
    for (int i = 0; i < results.length; i++) {
      Result news = progress.note(results[i]);
      if (news != null) {
        results[fresh++] = news;
        for (Cell cell : news.rawCells()) {
          bytes += cell.heapSize();
        }
      }
    }
    return new Answer(fresh == results.length ? results : Arrays.copyOf(results, fresh), bytes);
  }

  private synchronized void over() {
    current = null;
    paused = portions != null && progress.rows() >= end;
    complete = !paused;
  }

  private synchronized void pause() {
    current = null;
    lettingGo = false;
    paused = true;
    asking.asMuchAsBefore();
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

  private void tell() {
    synchronized (this) {
      notifyAll();
    }
    news.run();
  }

  /** The next results, or null if there are none now. */
  Result @Nullable [] poll() {
    Answer answer;
    boolean again = false;
    boolean restart = false;
    synchronized (this) {
      answer = answers.poll();
      if (answer != null) {
        heldBytes -= answer.bytes;
      }
      if (!waiting && !closed) {
        again = suspended != null && heldBytes <= scan.getMaxResultSize() / 2;
        restart = answer == null && paused;
        waiting = again || restart;
      }
    }
    if (again) {
      queue().enter(this);
    } else if (restart) {
      start();
    }
    return answer == null ? null : answer.rows;
  }

  private boolean hasNews() {
    return complete || failure != null || heartbeat || closed || (paused && !waiting);
  }

  /** Waits until it is worth looking again: for results, their end, or a heartbeat. */
  synchronized void await() throws InterruptedIOException {
    if (!answers.isEmpty() || hasNews()) {
      return;
    }
    long start = System.nanoTime();
    try {
      while (answers.isEmpty() && !hasNews()) {
        wait();
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

  /** Whether nothing more will come. */
  synchronized boolean isExhausted() {
    return complete && answers.isEmpty();
  }

  synchronized @Nullable Throwable failure() {
    return failure;
  }

  /** Whether the range is being scanned without a row to show for it; said once. */
  synchronized boolean pollHeartbeat() {
    boolean beat = heartbeat;
    heartbeat = false;
    return beat;
  }

  /** How far the range had been scanned at the last heartbeat, if the scan asks for that. */
  synchronized @Nullable Cursor cursor() {
    return cursor;
  }

  /** How many cells have come. */
  synchronized long cells() {
    return cells;
  }

  /** Of every scan there was of the range. */
  synchronized List<ScanMetrics> metrics() {
    return List.copyOf(metrics);
  }

  /**
   * Ends the scan of the range if it is suspended until rows are taken, and with it the scanner on
   * the server; what is left is scanned when all that came is taken.
   *
   * @return whether it was suspended
   */
  boolean letGo() {
    synchronized (this) {
      if (suspended == null || waiting || closed) {
        return false;
      }
      lettingGo = true;
      waiting = true;
      asking.asLittleAsPossible();
    }
    // A scan can be stopped in its callbacks only.
    queue().enter(this);
    return true;
  }

  /** Ends the scan of the range, at its next word if it is under way. */
  void close() {
    boolean again = false;
    synchronized (this) {
      closed = true;
      answers.clear();
      heldBytes = 0;
      asking.asLittleAsPossible();
      again = suspended != null && !waiting;
      waiting |= again;
      notifyAll();
    }
    if (again) {
      // A scan can be stopped in its callbacks only.
      queue().enter(this);
    }
  }
}
