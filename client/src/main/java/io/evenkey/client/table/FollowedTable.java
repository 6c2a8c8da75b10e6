package io.evenkey.client.table;

import com.google.protobuf.Descriptors;
import com.google.protobuf.Message;
import com.google.protobuf.Service;
import com.google.protobuf.ServiceException;
import io.evenkey.client.move.FollowingTable;
import io.evenkey.client.move.LiveTable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.coprocessor.Batch;
import org.apache.hadoop.hbase.filter.CompareFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A table that stays the same to applications whichever generation it is, behind HBase's own
 * interface. What is written waits, goes to one generation or to both, as {@link LiveTable} has it.
 * As thread-safe as HBase's own.
 */
@SuppressWarnings("deprecation") // what HBase still has in the interface
public final class FollowedTable implements Table {
  /** A table that is first looked for when it is used: it may not exist yet. */
  @FunctionalInterface
  public interface Late {
    /** The table. */
    LiveTable table() throws IOException;
  }

  private final Late late;
  private final GenerationTables generations;
  private final Table own;

  /** A table; closed with its generations. */
  public FollowedTable(Late late, GenerationTables generations) {
    this.late = late;
    this.generations = generations;
    this.own = generations.own();
  }

  private FollowingTable following() throws IOException {
    return new FollowingTable(late.table(), generations);
  }

  private Table reading() throws IOException {
    return following().reading();
  }

  // HBase throws nothing where it only builds something.
  private Table readingNow() {
    try {
      return reading();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private <R> R read(FollowingTable.Call<R> call) throws IOException {
    return following().read(call);
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
  public TableDescriptor getDescriptor() throws IOException {
    TableName generation = late.table().reading();
    return generation.equals(own.getName())
        ? own.getDescriptor()
        : TableDescriptorBuilder.copy(own.getName(), reading().getDescriptor());
  }

  @Override
  public RegionLocator getRegionLocator() throws IOException {
    return reading().getRegionLocator();
  }

  @Override
  public boolean exists(Get get) throws IOException {
    return read(table -> table.exists(get));
  }

  @Override
  public boolean[] exists(List<Get> gets) throws IOException {
    return read(table -> table.exists(gets));
  }

  @Override
  public Result get(Get get) throws IOException {
    return read(table -> table.get(get));
  }

  @Override
  public Result[] get(List<Get> gets) throws IOException {
    return read(table -> table.get(gets));
  }

  @Override
  public ResultScanner getScanner(Scan scan) throws IOException {
    return read(table -> table.getScanner(scan));
  }

  @Override
  public ResultScanner getScanner(byte[] family) throws IOException {
    return read(table -> table.getScanner(family));
  }

  @Override
  public ResultScanner getScanner(byte[] family, byte[] qualifier) throws IOException {
    return read(table -> table.getScanner(family, qualifier));
  }

  @Override
  public void put(Put put) throws IOException {
    following()
        .put(
            put,
            table -> {
              table.put(put);
              return Result.EMPTY_RESULT;
            });
  }

  @Override
  public void put(List<Put> puts) throws IOException {
    following()
        .batch(
            puts,
            new Object[puts.size()],
            table -> {
              table.put(puts);
              return Result.EMPTY_RESULT;
            });
  }

  @Override
  public void delete(Delete delete) throws IOException {
    following()
        .delete(
            delete,
            table -> {
              table.delete(delete);
              return Result.EMPTY_RESULT;
            });
  }

  /**
   * As in HBase, the list is left with the deletions that failed; with all of them, if it is not
   * known which did.
   */
  @Override
  public void delete(List<Delete> deletes) throws IOException {
    List<Delete> all = List.copyOf(deletes);
    Object[] results = new Object[all.size()];
    try {
      // By batch, as HBase does it too: its own delete would empty what may have to be repeated.
      following().batch(all, results, table -> batch(table, all, results));
    } finally {
      for (int i = results.length - 1; i >= 0; i--) {
        if (results[i] instanceof Result) {
          deletes.remove(i);
        }
      }
    }
  }

  @Override
  public Result append(Append append) throws IOException {
    return following().append(append);
  }

  @Override
  public Result increment(Increment increment) throws IOException {
    return following().increment(increment);
  }

  @Override
  public long incrementColumnValue(byte[] row, byte[] family, byte[] qualifier, long amount)
      throws IOException {
    return incrementColumnValue(row, family, qualifier, amount, Durability.SYNC_WAL);
  }

  @Override
  public long incrementColumnValue(
      byte[] row, byte[] family, byte[] qualifier, long amount, Durability durability)
      throws IOException {
    if (row == null || family == null) {
      throw new IOException(
          "Invalid arguments to incrementColumnValue",
          new NullPointerException((row == null ? "row" : "family") + " is null"));
    }
    Increment increment = new Increment(row).addColumn(family, qualifier, amount);
    return Bytes.toLong(increment(increment.setDurability(durability)).getValue(family, qualifier));
  }

  @Override
  public Result mutateRow(RowMutations mutations) throws IOException {
    return following().mutateRow(mutations);
  }

  @Override
  public CheckAndMutateResult checkAndMutate(CheckAndMutate check) throws IOException {
    return following().check(check);
  }

  @Override
  public List<CheckAndMutateResult> checkAndMutate(List<CheckAndMutate> checks) throws IOException {
    return following().checks(checks);
  }

  @Override
  public boolean checkAndMutate(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareOperator operator,
      byte[] value,
      RowMutations mutations)
      throws IOException {
    CheckAndMutate.Builder check = CheckAndMutate.newBuilder(row);
    return checkAndMutate(check.ifMatches(family, qualifier, operator, value).build(mutations))
        .isSuccess();
  }

  @Override
  public boolean checkAndMutate(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareFilter.CompareOp operator,
      byte[] value,
      RowMutations mutations)
      throws IOException {
    return checkAndMutate(
        row, family, qualifier, CompareOperator.valueOf(operator.name()), value, mutations);
  }

  @Override
  public CheckAndMutateBuilder checkAndMutate(byte[] row, byte[] family) {
    return new CheckBuilders.OfColumn(this, row, family);
  }

  @Override
  public CheckAndMutateWithFilterBuilder checkAndMutate(byte[] row, Filter filter) {
    return new CheckBuilders.OfFilter(this, row, filter);
  }

  @Override
  public void batch(List<? extends Row> actions, Object @Nullable [] wanted)
      throws IOException, InterruptedException {
    Object[] results = wanted == null ? new Object[actions.size()] : wanted;
    following().batch(actions, results, table -> batch(table, actions, results));
  }

  private static Result batch(Table table, List<? extends Row> actions, Object[] results)
      throws IOException {
    try {
      table.batch(actions, results);
      return Result.EMPTY_RESULT;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted in a batch");
    }
  }

  @Override
  public <R> void batchCallback(
      List<? extends Row> actions, Object @Nullable [] wanted, Batch.Callback<R> callback)
      throws IOException, InterruptedException {
    Object[] results = wanted == null ? new Object[actions.size()] : wanted;
    boolean[] called = {false};
    try {
      following()
          .batch(
              actions,
              results,
              table -> {
                called[0] = true;
                return batch(table, actions, results, callback);
              });
    } finally {
      // Two generations have no one region to tell of.
      for (int i = 0; !called[0] && i < results.length; i++) {
        if (results[i] != null && !(results[i] instanceof Throwable)) {
          @SuppressWarnings("unchecked") // what the caller expects of its actions
          R result = (R) results[i];
          callback.update(new byte[0], actions.get(i).getRow(), result);
        }
      }
    }
  }

  private static <R> Result batch(
      Table table, List<? extends Row> actions, Object[] results, Batch.Callback<R> callback)
      throws IOException {
    try {
      table.batchCallback(actions, results, callback);
      return Result.EMPTY_RESULT;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted in a batch");
    }
  }

  // What a coprocessor writes, it writes to one generation: tables that have some are not moved.
  @Override
  public CoprocessorRpcChannel coprocessorService(byte[] row) {
    return readingNow().coprocessorService(row);
  }

  @Override
  public <T extends Service, R> Map<byte[], R> coprocessorService(
      Class<T> service, byte[] startKey, byte[] endKey, Batch.Call<T, R> callable)
      throws ServiceException, Throwable {
    return reading().coprocessorService(service, startKey, endKey, callable);
  }

  @Override
  public <T extends Service, R> void coprocessorService(
      Class<T> service,
      byte[] startKey,
      byte[] endKey,
      Batch.Call<T, R> callable,
      Batch.Callback<R> callback)
      throws ServiceException, Throwable {
    reading().coprocessorService(service, startKey, endKey, callable, callback);
  }

  @Override
  public <R extends Message> Map<byte[], R> batchCoprocessorService(
      Descriptors.MethodDescriptor method,
      Message request,
      byte[] startKey,
      byte[] endKey,
      R response)
      throws ServiceException, Throwable {
    return reading().batchCoprocessorService(method, request, startKey, endKey, response);
  }

  @Override
  public <R extends Message> void batchCoprocessorService(
      Descriptors.MethodDescriptor method,
      Message request,
      byte[] startKey,
      byte[] endKey,
      R response,
      Batch.Callback<R> callback)
      throws ServiceException, Throwable {
    reading().batchCoprocessorService(method, request, startKey, endKey, response, callback);
  }

  @Override
  public Map<String, byte[]> getRequestAttributes() {
    return own.getRequestAttributes();
  }

  @Override
  public long getRpcTimeout(TimeUnit unit) {
    return own.getRpcTimeout(unit);
  }

  @Override
  public long getReadRpcTimeout(TimeUnit unit) {
    return own.getReadRpcTimeout(unit);
  }

  @Override
  public long getWriteRpcTimeout(TimeUnit unit) {
    return own.getWriteRpcTimeout(unit);
  }

  @Override
  public long getOperationTimeout(TimeUnit unit) {
    return own.getOperationTimeout(unit);
  }

  @Override
  public int getRpcTimeout() {
    return own.getRpcTimeout();
  }

  @Override
  public void setRpcTimeout(int millis) {
    generations.set(table -> table.setRpcTimeout(millis));
  }

  @Override
  public int getReadRpcTimeout() {
    return own.getReadRpcTimeout();
  }

  @Override
  public void setReadRpcTimeout(int millis) {
    generations.set(table -> table.setReadRpcTimeout(millis));
  }

  @Override
  public int getWriteRpcTimeout() {
    return own.getWriteRpcTimeout();
  }

  @Override
  public void setWriteRpcTimeout(int millis) {
    generations.set(table -> table.setWriteRpcTimeout(millis));
  }

  @Override
  public int getOperationTimeout() {
    return own.getOperationTimeout();
  }

  @Override
  public void setOperationTimeout(int millis) {
    generations.set(table -> table.setOperationTimeout(millis));
  }

  @Override
  public void close() throws IOException {
    generations.close();
  }

  @Override
  public String toString() {
    try {
      return reading().toString();
    } catch (IOException e) {
      return own.getName().toString();
    }
  }
}
