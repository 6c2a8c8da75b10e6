/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.metrics.ScanMeters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of one read, each read by scans of its own, and the merge of what they bring; region
 * servers may send the first rows of all. One thread at a time merges.
 */
final class Merge implements ScanStrategy {
  private final ScanContext context;
  private final GatherOrder order;
  private final Gathering gathering;
  private final List<RangeBuffer> buffers = new ArrayList<>();
  private final IdleScans idle;
  private final MergeHeads heads;
  private final Result[][] batches;
  private final int[] positions;
  private final OpenRanges open;

  /** The ranges that begin first; the others are expected at their beginnings. */
  private final int first;

  /** The range at whose beginning further ones are opened. */
  private int openMoreAt;

  private final RowLimit limit;
  private long taken;
  private final @Nullable ScanMetrics metrics;

  /**
   * A merge of ranges, of which none is read yet.
   *
   * @param scans one for each range
   * @param asked the order of the scan
   * @param gathering how the first rows are read
   */
  Merge(ScanContext context, List<Scan> scans, GatherOrder asked, Gathering gathering) {
    AsyncTable<AdvancedScanResultConsumer> table = context.table();
    int ranges = scans.size();
    this.context = context;
    this.order = gathering.order(asked);
    this.gathering = gathering;
    this.idle = new IdleScans(table.getName(), table.getConfiguration(), this::release);
    this.heads = order.heads(ranges);
    this.batches = new Result[ranges][];
    this.positions = new int[ranges];
    this.limit = new RowLimit(ranges == 0 ? 0 : order.mostRows());
    this.open = OpenRanges.of(scans, order);
    open.openMore();
    this.first = open.opened();
    this.openMoreAt = first;
    if (readsAhead()) {
      open.openMore();
    }
    int together = ranges > 1 ? Math.max(2, open.opened()) : ranges;
    this.metrics = ranges > 0 && scans.get(0).isScanMetricsEnabled() ? new ScanMetrics() : null;
    ScanMeters.started(open.opened());
    ServerQueues queues = new ServerQueues(table);
    for (Scan scan : open.scans()) {
      buffers.add(
          new RangeBuffer(
              table,
              queues,
              scan,
              FetchSize.of(scan, together),
              portions(scan, together),
              context.span(),
              context.news(),
              idle));
    }
  }

  private @Nullable LimitShares portions(Scan scan, int ranges) {
    boolean some = order.limit() > 0 && ranges > 1 && LimitShares.countRows(scan);
    return some ? new LimitShares(order.limit(), ranges) : null;
  }

  @Override
  public void start() {
    if (gathering.beginsOnServers()) {
      startOnServers();
    } else {
      startScans();
    }
  }

  private void startScans() {
    buffers.subList(0, open.opened()).forEach(RangeBuffer::start);
  }

  /**
   * Has region servers send the first rows of all ranges, and starts the scans of those ranges that
   * have more; or of all, if a server cannot.
   */
  private void startOnServers() {
    int rows = 0;
    for (RangeBuffer buffer : buffers) {
      rows = buffer.firstPortion();
    }
    int asked = rows;
    context
        .span()
        .run(
            () ->
                Futures.whenDone(
                    Futures.begin(
                        () -> ServerGather.begin(context.table(), open.scans(), order, asked)),
                    (begun, error) -> {
                      if (error == null) {
                        take(begun);
                      } else {
                        startScans();
                      }
                    },
                    failure -> buffers.forEach(buffer -> buffer.broken(failure))));
  }

  private void take(List<BegunRange> begun) {
    List<RangeBuffer> unfinished = new ArrayList<>();
    // The merge waits for the first range first: it does not begin before it has all.
    for (int i = buffers.size() - 1; i >= 0; i--) {
      if (buffers.get(i).begin(begun.get(i))) {
        unfinished.add(buffers.get(i));
      }
    }
    context.news().run();
    for (int i = unfinished.size() - 1; i >= 0; i--) {
      unfinished.get(i).start();
    }
  }

  @Override
  public @Nullable Result next() {
    while (!limit.isReached()) {
      int wanted = heads.wanted();
      if (wanted != MergeHeads.NONE) {
        if (!fill(wanted)) {
          return null;
        }
        continue;
      }
      Result first = heads.take();
      Result logical = first == null ? null : order.toLogical().apply(first);
      if (first != null && logical == null) {
        continue;
      }
      if (first == null || !limit.admits(first)) {
        limit.end();
        return null;
      }
      taken++;
      idle.asked();
      return logical;
    }
    return null;
  }

  /** A scan without a limit is read to its end: the ranges that begin next are read already. */
  private boolean readsAhead() {
    return order.limit() == 0;
  }

  private boolean fill(int stream) {
    if (stream >= first && !heads.isComplete()) {
      heads.expect(open.begin(stream));
      return true;
    }
    if (stream >= openMoreAt) {
      int before = open.opened();
      open.openMore();
      buffers.subList(before, open.opened()).forEach(RangeBuffer::start);
      openMoreAt = readsAhead() ? before : open.opened();
    }
    Result[] batch = batches[stream];
    if (batch == null || positions[stream] == batch.length) {
      RangeBuffer buffer = buffers.get(stream);
      boolean ended = buffer.isExhausted();
      batch = buffer.poll();
      batches[stream] = batch;
      positions[stream] = 0;
      if (batch != null || ended) {
        context.waiting().begin();
      }
      if (batch == null) {
        if (ended) {
          heads.put(null);
        }
        return ended;
      }
    }
    heads.put(batch[positions[stream]++]);
    return true;
  }

  @Override
  public boolean isEnded() {
    return limit.isReached();
  }

  @Override
  public void end() {
    limit.end();
  }

  /** The range whose next row has to come before the least one is known. */
  private RangeBuffer waitingFor() {
    return buffers.get(heads.wanted());
  }

  /** Why the row that is waited for will not come; null while it may. */
  @Nullable Throwable failure() {
    return waitingFor().failure();
  }

  /**
   * Region servers go on to look for the row that is waited for.
   *
   * @param withCursor whether the scan asks for cursors
   * @param cursor the key up to which the merge has got; null if it is not known, or not asked for
   */
  record Heartbeat(boolean withCursor, @Nullable Cursor cursor) {
    /** An application that asks for cursors counts on one at every heartbeat. */
    boolean isPassedOn() {
      return !withCursor || cursor != null;
    }
  }

  /** The heartbeat that has come since the last call, and since the last row; null if none has. */
  @Nullable Heartbeat heartbeat() {
    RangeBuffer range = waitingFor();
    if (!range.pollHeartbeat()) {
      return null;
    }
    context.waiting().begin();
    Cursor physical = range.cursor();
    byte[] position = physical == null ? null : heads.position(physical.getRow());
    return new Heartbeat(physical != null, position == null ? null : GatherOrder.cursor(position));
  }

  /**
   * The sums over all ranges, or null if the scan did not ask for metrics. Every call brings what
   * it returns, always the same object, up to date.
   */
  @Nullable ScanMetrics metrics() {
    if (metrics != null) {
      SummedMetrics.set(
          metrics,
          buffers.stream().flatMap(buffer -> buffer.metrics().stream()).toList(),
          buffers.stream().mapToLong(RangeBuffer::cells).sum() * order.keyOffset());
    }
    return metrics;
  }

  @Override
  public boolean await(TimedScanner.@Nullable Time time) throws IOException {
    waitingFor().await(time);
    return false;
  }

  @Override
  public @Nullable Throwable survived() {
    return waitingFor().survived();
  }

  @Override
  public Merge merge() {
    return this;
  }

  @Override
  public void awaits(boolean rows) {
    idle.awaits(rows);
  }

  /** Is called when the application asks for rows. */
  IdleScans idle() {
    return idle;
  }

  private int release() {
    int ranges = 0;
    for (RangeBuffer buffer : buffers) {
      ranges += buffer.release() ? 1 : 0;
    }
    return ranges;
  }

  @Override
  public void close() {
    end();
    idle.close();
    ScanMeters.returned(taken);
    taken = 0;
    buffers.forEach(RangeBuffer::close);
  }
}
