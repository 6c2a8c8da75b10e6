package io.evenkey.client.table;

import io.evenkey.client.move.AsyncWrites;
import io.evenkey.client.move.LiveTable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.Mutation;

/**
 * An asynchronous buffered mutator of a table that may be moved: HBase's own, with logical keys, as
 * long as only the generation that bears the table's name is written. Thread-safe.
 */
public final class FollowedAsyncMutator implements AsyncBufferedMutator {
  private final AsyncBufferedMutator own;
  private final Supplier<CompletableFuture<LiveTable>> late;
  private final AsyncWrites writes;
  private final Map<TableName, AsyncBufferedMutator> opened = new ConcurrentHashMap<>();
  private final Function<TableName, AsyncBufferedMutator> generations;
  private final Runnable onChange = this::flush;

  private boolean closed;

  private final CallsInOrder calls = new CallsInOrder();

  /**
   * A mutator.
   *
   * @param own as the application has opened it, by logical keys
   * @param generations other generations, by logical keys
   */
  public FollowedAsyncMutator(
      AsyncBufferedMutator own,
      Supplier<CompletableFuture<LiveTable>> late,
      Function<TableName, AsyncBufferedMutator> generations,
      AsyncWrites writes) {
    this.own = own;
    this.late = late;
    this.generations = generations;
    this.writes = writes;
    opened.put(own.getName(), own);
  }

  @Override
  public TableName getName() {
    return own.getName();
  }

  @Override
  public Configuration getConfiguration() {
    return own.getConfiguration();
  }

  @Override
  public synchronized List<CompletableFuture<Void>> mutate(List<? extends Mutation> mutations) {
    if (closed) {
      // HBase's words.
      IOException failed = new IOException("Already closed");
      return mutations.stream()
          .map(mutation -> CompletableFuture.<Void>failedFuture(failed))
          .toList();
    }
    CompletableFuture<LiveTable> live = late.get();
    if (calls.isIdle() && live.isDone() && !live.isCompletedExceptionally()) {
      return mutate(live.join(), mutations);
    }
    return Futures.each(
        mutations.size(), calls.add(() -> Futures.map(live, table -> mutate(table, mutations))));
  }

  private List<CompletableFuture<Void>> mutate(LiveTable live, List<? extends Mutation> mutations) {
    live.onChange(onChange);
    return writes.several(
        live,
        mutations,
        view -> opened.computeIfAbsent(view.primary(), generations).mutate(mutations),
        result -> null);
  }

  @Override
  public synchronized void flush() {
    calls.run(() -> opened.values().forEach(AsyncBufferedMutator::flush));
  }

  @Override
  public synchronized void close() {
    closed = true;
    calls.run(() -> opened.values().forEach(AsyncBufferedMutator::close));
    Futures.onSuccess(late.get(), live -> live.forget(onChange));
  }

  @Override
  public long getWriteBufferSize() {
    return own.getWriteBufferSize();
  }

  @Override
  public long getPeriodicalFlushTimeout(TimeUnit unit) {
    return own.getPeriodicalFlushTimeout(unit);
  }

  @Override
  public Map<String, byte[]> getRequestAttributes() {
    return own.getRequestAttributes();
  }
}
