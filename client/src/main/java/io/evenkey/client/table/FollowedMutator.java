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

/**
 * A buffered mutator of a table that may be moved: HBase's own, with logical keys, as long as one
 * generation is written. Thread-safe.
 */
@SuppressWarnings("deprecation") // what HBase still has in the interface
public final class FollowedMutator implements BufferedMutator {
  private final BufferedMutator own;
  private final BufferedWrites writes;

  private FollowedMutator(BufferedMutator own, BufferedWrites writes) {
    this.own = own;
    this.writes = writes;
  }

  /**
   * Opens one.
   *
   * @param plain a connection to which rows are what is stored
   * @param generations closed with the mutator
   */
  public static BufferedMutator open(
      Connection plain,
      BufferedMutatorParams params,
      LiveTable live,
      GenerationTables.Mappings mappings,
      GenerationTables generations)
      throws IOException {
    BufferedMutator own = stored(plain, params, live.reading(), mappings);
    BufferedWrites writes =
        BufferedWrites.of(
            live,
            new FollowingTable(live, generations),
            own,
            generation -> stored(plain, params, generation, mappings),
            generations);
    return new FollowedMutator(own, writes);
  }

  private static BufferedMutator stored(
      Connection plain,
      BufferedMutatorParams params,
      TableName generation,
      GenerationTables.Mappings mappings)
      throws IOException {
    RowMapping rows = mappings.of(generation);
    BufferedMutatorParams same =
        params.getTableName().equals(generation) ? params : renamed(params, generation);
    return rows.isPlain()
        ? plain.getBufferedMutator(same)
        : LogicalBufferedMutator.open(plain, same, rows);
  }

  private static BufferedMutatorParams renamed(BufferedMutatorParams params, TableName name) {
    BufferedMutatorParams renamed =
        new BufferedMutatorParams(name)
            .writeBufferSize(params.getWriteBufferSize())
            .maxKeyValueSize(params.getMaxKeyValueSize())
            .pool(params.getPool())
            .listener(params.getListener());
    renamed.setWriteBufferPeriodicFlushTimeoutMs(params.getWriteBufferPeriodicFlushTimeoutMs());
    renamed.setWriteBufferPeriodicFlushTimerTickMs(params.getWriteBufferPeriodicFlushTimerTickMs());
    params.getRequestAttributes().forEach(renamed::setRequestAttribute);
    return renamed;
  }

  @Override
  public TableName getName() {
    return writes.name();
  }

  @Override
  public Configuration getConfiguration() {
    return own.getConfiguration();
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
    writes.close();
  }

  @Override
  public long getWriteBufferSize() {
    return own.getWriteBufferSize();
  }

  @Override
  public void setWriteBufferPeriodicFlush(long timeoutMs) {
    own.setWriteBufferPeriodicFlush(timeoutMs);
  }

  @Override
  public void setWriteBufferPeriodicFlush(long timeoutMs, long timerTickMs) {
    own.setWriteBufferPeriodicFlush(timeoutMs, timerTickMs);
  }

  @Override
  public void disableWriteBufferPeriodicFlush() {
    own.disableWriteBufferPeriodicFlush();
  }

  @Override
  public long getWriteBufferPeriodicFlushTimeoutMs() {
    return own.getWriteBufferPeriodicFlushTimeoutMs();
  }

  @Override
  public long getWriteBufferPeriodicFlushTimerTickMs() {
    return own.getWriteBufferPeriodicFlushTimerTickMs();
  }

  @Override
  public void setRpcTimeout(int timeout) {
    own.setRpcTimeout(timeout);
  }

  @Override
  public void setOperationTimeout(int timeout) {
    own.setOperationTimeout(timeout);
  }

  @Override
  public Map<String, byte[]> getRequestAttributes() {
    return own.getRequestAttributes();
  }
}
