package io.evenkey.client.table;

import io.evenkey.client.future.Futures;
import io.evenkey.client.route.Generation;
import io.evenkey.client.route.Route;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.MutationLimit;
import org.apache.hadoop.hbase.client.Row;

/**
 * An asynchronous buffered mutator whose rows are logical keys, whatever the layout and the
 * generation. While the table is not known yet, calls queue up in their order. Thread-safe.
 */
public final class LogicalAsyncBufferedMutator implements AsyncBufferedMutator {
  private final AsyncBufferedMutator own;
  private final Route route;
  private final Function<TableName, AsyncBufferedMutator> others;
  private final Map<TableName, AsyncBufferedMutator> opened = new ConcurrentHashMap<>();
  private final CallsInOrder calls = new CallsInOrder();
  private boolean closed;

  /**
   * A mutator.
   *
   * @param own HBase's own, as the application has opened it
   * @param others HBase's own of other generations, with the same settings
   */
  public LogicalAsyncBufferedMutator(
      AsyncBufferedMutator own, Route route, Function<TableName, AsyncBufferedMutator> others) {
    this.own = own;
    this.route = route;
    this.others = others;
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
    CompletableFuture<Generation> found = route.find();
    if (calls.isIdle() && found.isDone() && !found.isCompletedExceptionally()) {
      return begin(mutations);
    }
    return Futures.each(
        mutations.size(), calls.add(() -> Futures.map(route.find(), known -> begin(mutations))));
  }

  private List<CompletableFuture<Void>> begin(List<? extends Mutation> mutations) {
    List<Row> actions = new ArrayList<>(mutations.size());
    mutations.forEach(mutation -> actions.add((Row) mutation));
    AtomicBoolean buffered = new AtomicBoolean(true);
    List<CompletableFuture<Void>> results =
        route.laterEach(
            actions,
            (generation, some) -> {
              List<Mutation> physical = new ArrayList<>(some.size());
              for (Row action : some) {
                physical.add((Mutation) generation.rows().physical(action));
              }
              return buffered.get()
                  ? opened.computeIfAbsent(generation.physical(), others).mutate(physical)
                  : written(generation, physical);
            });
    buffered.set(false);
    return results;
  }

  // After the call has returned, the application may have flushed or closed this mutator already.
  private List<CompletableFuture<Void>> written(Generation generation, List<Mutation> physical) {
    try (AsyncBufferedMutator mutator = others.apply(generation.physical())) {
      return mutator.mutate(physical);
    }
  }

  @Override
  public synchronized void flush() {
    calls.run(() -> opened.values().forEach(AsyncBufferedMutator::flush));
  }

  @Override
  public synchronized void close() {
    closed = true;
    calls.run(() -> opened.values().forEach(AsyncBufferedMutator::close));
  }

  @Override
  public long getWriteBufferSize() {
    return own.getWriteBufferSize();
  }

  @Override
  public long getPeriodicalFlushTimeout(TimeUnit unit) {
    return own.getPeriodicalFlushTimeout(unit);
  }

  /** As HBase has it since 2.5.12 and 2.6.4. */
  public int getMaxMutations() {
    return MutationLimit.of(own);
  }

  @Override
  public Map<String, byte[]> getRequestAttributes() {
    return own.getRequestAttributes();
  }
}
