package io.evenkey.client.table;

import io.evenkey.client.row.RowMapping;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Row;

/**
 * An asynchronous buffered mutator whose rows are logical keys. While the table's layout is not
 * known yet, calls queue up in their order. Thread-safe.
 */
public final class LogicalAsyncBufferedMutator implements AsyncBufferedMutator {
  private final AsyncBufferedMutator mutator;
  private final LateRows late;

  private final CallsInOrder calls = new CallsInOrder();

  /** The plain mutator, given logical keys. */
  public LogicalAsyncBufferedMutator(AsyncBufferedMutator mutator, LateRows late) {
    this.mutator = mutator;
    this.late = late;
  }

  @Override
  public TableName getName() {
    return mutator.getName();
  }

  @Override
  public Configuration getConfiguration() {
    return mutator.getConfiguration();
  }

  @Override
  public synchronized List<CompletableFuture<Void>> mutate(List<? extends Mutation> mutations) {
    // What HBase throws at once for a mistake in the arguments is thrown at once here.
    return Futures.each(
        mutations.size(),
        calls.isIdle() && late.areKnown() ? begin(mutations) : calls.add(() -> begin(mutations)));
  }

  private CompletableFuture<List<CompletableFuture<Void>>> begin(
      List<? extends Mutation> mutations) {
    return late.then(rows -> CompletableFuture.completedFuture(mutate(rows, mutations)));
  }

  private List<CompletableFuture<Void>> mutate(RowMapping rows, List<? extends Mutation> mutations)
      throws Exception {
    Mutation[] physical = new Mutation[mutations.size()];
    for (int i = 0; i < physical.length; i++) {
      physical[i] = (Mutation) rows.physical((Row) mutations.get(i));
    }
    return mutator.mutate(List.of(physical));
  }

  @Override
  public synchronized void flush() {
    calls.run(mutator::flush);
  }

  @Override
  public synchronized void close() {
    calls.run(mutator::close);
  }

  @Override
  public long getWriteBufferSize() {
    return mutator.getWriteBufferSize();
  }

  @Override
  public long getPeriodicalFlushTimeout(TimeUnit unit) {
    return mutator.getPeriodicalFlushTimeout(unit);
  }

  @Override
  public Map<String, byte[]> getRequestAttributes() {
    return mutator.getRequestAttributes();
  }
}
