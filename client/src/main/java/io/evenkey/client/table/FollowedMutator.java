package io.evenkey.client.table;

import io.evenkey.client.move.BufferedWrites;
import io.evenkey.client.move.FollowingTable;
import io.evenkey.client.move.LiveTable;
import io.evenkey.client.row.RowMapping;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;

/**
 * A buffered mutator of a table that may be moved: HBase's own, with logical keys, as long as one
 * generation is written. Its settings hold for all generations, and its exception listener is given
 * this mutator. Thread-safe.
 */
@SuppressWarnings("deprecation") // what HBase still has in the interface
public final class FollowedMutator implements BufferedMutator {
  /** As HBase has it, where only the timeout is given. */
  private static final long DEFAULT_TICK_MS = 1_000;

  private final Connection plain;
  private final GenerationTables.Mappings mappings;
  private final GenerationTables generations;
  private final BufferedMutatorParams params;
  private final BufferedWrites writes;
  private final PeriodicFlush periodic;

  private FollowedMutator(
      Connection plain,
      BufferedMutatorParams given,
      LiveTable live,
      GenerationTables.Mappings mappings,
      GenerationTables generations)
      throws IOException {
    this.plain = plain;
    this.mappings = mappings;
    this.generations = generations;
    ExceptionListener listener = given.getListener();
    this.params = MutatorParams.of(given.getTableName(), given);
    if (listener != null) {
      params.listener((failure, behind) -> listener.onException(failure, this));
    }
    if (given.getRpcTimeout() >= 0) {
      generations.set(table -> table.setWriteRpcTimeout(given.getRpcTimeout()));
    }
    if (given.getOperationTimeout() >= 0) {
      generations.set(table -> table.setOperationTimeout(given.getOperationTimeout()));
    }
    this.writes =
        BufferedWrites.of(
            live, new FollowingTable(live, generations), new OfGenerations(), generations);
    BufferedMutator first = writes.mutator();
    this.periodic = new PeriodicFlush(writes::flushIfOlderThan);
    long timeoutMs = first.getWriteBufferPeriodicFlushTimeoutMs();
    long tickMs = first.getWriteBufferPeriodicFlushTimerTickMs();
    // HBase's own timer would write what a migration takes for written already.
    params.setWriteBufferPeriodicFlushTimeoutMs(0);
    first.disableWriteBufferPeriodicFlush();
    periodic.set(timeoutMs, tickMs);
  }

  /**
   * Opens one.
   *
   * @param plain a connection to which rows are what is stored
   * @param generations closed with the mutator; with its request attributes
   */
  public static BufferedMutator open(
      Connection plain,
      BufferedMutatorParams params,
      LiveTable live,
      GenerationTables.Mappings mappings,
      GenerationTables generations)
      throws IOException {
    return new FollowedMutator(plain, params, live, mappings, generations);
  }

  /** Where the buffer goes. */
  private final class OfGenerations implements BufferedWrites.Target {
    @Override
    public BufferedMutator open(TableName generation) throws IOException {
      RowMapping rows = mappings.of(generation);
      BufferedMutatorParams same;
      synchronized (params) {
        same = MutatorParams.of(generation, params);
      }
      return rows.isPlain()
          ? plain.getBufferedMutator(same)
          : LogicalBufferedMutator.open(plain, same, rows);
    }

    @Override
    public void check(TableName generation, Mutation mutation) throws IOException {
      int most = params.getMaxKeyValueSize();
      PutCheck.check(mutation, most < 0 ? PutCheck.mostBytes(getConfiguration()) : most);
      mappings.of(generation).physical(mutation.getRow());
    }

    @Override
    public void failed(RetriesExhaustedWithDetailsException failure)
        throws RetriesExhaustedWithDetailsException {
      ExceptionListener listener = params.getListener();
      if (listener == null) {
        throw failure;
      }
      listener.onException(failure, FollowedMutator.this);
    }
  }

  @Override
  public TableName getName() {
    return writes.name();
  }

  @Override
  public Configuration getConfiguration() {
    return generations.own().getConfiguration();
  }

  @Override
  public void mutate(Mutation mutation) throws IOException {
    writes.mutate(List.of(mutation));
  }

  @Override
  public void mutate(List<? extends Mutation> mutations) throws IOException {
    writes.mutate(mutations);
  }

  @Override
  public void flush() throws IOException {
    writes.flush();
  }

  @Override
  public void close() throws IOException {
    periodic.stop();
    writes.close();
  }

  @Override
  public long getWriteBufferSize() {
    return writes.mutator().getWriteBufferSize();
  }

  @Override
  public void setWriteBufferPeriodicFlush(long timeoutMs) {
    periodic.set(timeoutMs, DEFAULT_TICK_MS);
  }

  @Override
  public void setWriteBufferPeriodicFlush(long timeoutMs, long timerTickMs) {
    periodic.set(timeoutMs, timerTickMs);
  }

  @Override
  public void disableWriteBufferPeriodicFlush() {
    periodic.set(0, MIN_WRITE_BUFFER_PERIODIC_FLUSH_TIMERTICK_MS);
  }

  @Override
  public long getWriteBufferPeriodicFlushTimeoutMs() {
    return periodic.timeoutMs();
  }

  @Override
  public long getWriteBufferPeriodicFlushTimerTickMs() {
    return periodic.tickMs();
  }

  @Override
  public void setRpcTimeout(int timeout) {
    synchronized (params) {
      params.rpcTimeout(timeout);
    }
    generations.set(table -> table.setWriteRpcTimeout(timeout));
    writes.mutator().setRpcTimeout(timeout);
  }

  @Override
  public void setOperationTimeout(int timeout) {
    synchronized (params) {
      params.operationTimeout(timeout);
    }
    generations.set(table -> table.setOperationTimeout(timeout));
    writes.mutator().setOperationTimeout(timeout);
  }

  @Override
  public Map<String, byte[]> getRequestAttributes() {
    return params.getRequestAttributes();
  }
}
