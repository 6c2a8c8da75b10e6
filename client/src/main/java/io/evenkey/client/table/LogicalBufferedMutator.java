package io.evenkey.client.table;

import io.evenkey.client.row.RowMapping;
import java.io.IOException;
import java.util.ArrayList;
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
 * A buffered mutator whose rows are logical keys. Its exception listener is told of mutations that
 * say the same as the caller's, under the logical key; they are other objects, since the caller's
 * are not kept. As thread-safe as the mutator behind it.
 */
@SuppressWarnings("deprecation") // what HBase still has in the interface
public final class LogicalBufferedMutator implements BufferedMutator {
  private final BufferedMutator mutator;
  private final RowMapping rows;

  private LogicalBufferedMutator(BufferedMutator mutator, RowMapping rows) {
    this.mutator = mutator;
    this.rows = rows;
  }

  /** Opens one on the plain connection. */
  public static BufferedMutator open(
      Connection plain, BufferedMutatorParams params, RowMapping rows) throws IOException {
    BufferedMutatorParams physical = MutatorParams.of(params.getTableName(), params);
    ExceptionListener listener = params.getListener();
    BufferedMutator[] opened = new BufferedMutator[1];
    physical.listener(
        (failure, behind) -> {
          RetriesExhaustedWithDetailsException logical = Failures.logical(failure, rows::logical);
          if (listener == null) {
            throw logical;
          }
          listener.onException(logical, opened[0] == null ? behind : opened[0]);
        });
    opened[0] = new LogicalBufferedMutator(plain.getBufferedMutator(physical), rows);
    return opened[0];
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
  public void mutate(Mutation mutation) throws IOException {
    mutate(List.of(mutation));
  }

  @Override
  public void mutate(List<? extends Mutation> mutations) throws IOException {
    List<Mutation> physical = new ArrayList<>(mutations.size());
    for (Mutation mutation : mutations) {
      physical.add((Mutation) rows.physical((org.apache.hadoop.hbase.client.Row) mutation));
    }
    mutator.mutate(physical);
  }

  @Override
  public void flush() throws IOException {
    mutator.flush();
  }

  @Override
  public void close() throws IOException {
    mutator.close();
  }

  @Override
  public long getWriteBufferSize() {
    return mutator.getWriteBufferSize();
  }

  @Override
  public void setWriteBufferPeriodicFlush(long timeoutMs) {
    mutator.setWriteBufferPeriodicFlush(timeoutMs);
  }

  @Override
  public void setWriteBufferPeriodicFlush(long timeoutMs, long timerTickMs) {
    mutator.setWriteBufferPeriodicFlush(timeoutMs, timerTickMs);
  }

  @Override
  public void disableWriteBufferPeriodicFlush() {
    mutator.disableWriteBufferPeriodicFlush();
  }

  @Override
  public long getWriteBufferPeriodicFlushTimeoutMs() {
    return mutator.getWriteBufferPeriodicFlushTimeoutMs();
  }

  @Override
  public long getWriteBufferPeriodicFlushTimerTickMs() {
    return mutator.getWriteBufferPeriodicFlushTimerTickMs();
  }

  @Override
  public void setRpcTimeout(int timeout) {
    mutator.setRpcTimeout(timeout);
  }

  @Override
  public void setOperationTimeout(int timeout) {
    mutator.setOperationTimeout(timeout);
  }

  @Override
  public Map<String, byte[]> getRequestAttributes() {
    return mutator.getRequestAttributes();
  }
}
