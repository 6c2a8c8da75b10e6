package io.evenkey.client.move;

import io.evenkey.client.registry.Move;
import io.evenkey.client.registry.Phase;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * What a client acts by for an epoch of a table's moves, and how many writes that do so are under
 * way. Thread-safe.
 */
public final class View {
  private final int epoch;
  private final Phase phase;
  private final TableName source;
  private final @Nullable TableName target;

  // One more than there are writes, until the view is closed.
  private final AtomicInteger writes = new AtomicInteger(1);
  private final CompletableFuture<Void> drained = new CompletableFuture<>();

  private View(int epoch, Phase phase, TableName source, @Nullable TableName target) {
    this.epoch = epoch;
    this.phase = phase;
    this.source = source;
    this.target = target;
  }

  static View of(TableName table, @Nullable Move move) {
    return move == null
        ? new View(0, Phase.SOURCE, table, null)
        : new View(move.epoch(), move.stage().phase(), move.source(), move.target());
  }

  int epoch() {
    return epoch;
  }

  Phase phase() {
    return phase;
  }

  /** The generation that is read, and written first. */
  public TableName primary() {
    return phase.readsTarget() && target != null ? target : source;
  }

  /** The other one, to be kept alike; null if there is none. */
  public @Nullable TableName secondary() {
    if (!phase.writesBoth() || target == null) {
      return null;
    }
    return phase.readsTarget() ? source : target;
  }

  /** Counts a write; false if the view is closed and drained. */
  boolean enter() {
    return writes.getAndUpdate(n -> n == 0 ? 0 : n + 1) > 0;
  }

  void leave() {
    if (writes.decrementAndGet() == 0) {
      drained.complete(null);
    }
  }

  /** Complete when no write by this view is under way, after it has been closed. */
  CompletableFuture<Void> close() {
    leave();
    return drained;
  }

  @Override
  public String toString() {
    return "epoch " + epoch + " " + phase;
  }
}
