package io.evenkey.client.table;

import com.google.protobuf.Descriptors;
import com.google.protobuf.Message;
import com.google.protobuf.Service;
import com.google.protobuf.ServiceException;
import io.evenkey.client.coprocessor.CheckedChannel;
import io.evenkey.client.row.RowMapping;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncTable;
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
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.coprocessor.Batch;
import org.apache.hadoop.hbase.filter.CompareFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A table with a layout, behind HBase's own interface: the row of every action and every result is
 * the logical key. What cannot be done on a spread table is refused by name. As thread-safe as the
 * table behind it.
 */
@SuppressWarnings("deprecation") // what HBase still has in the interface
public final class LogicalTable implements Table {
  /** Where the scans of a table come from; opened at the first of them. */
  @FunctionalInterface
  public interface Scans {
    /** The same table, for scanning, with the timeouts and the request attributes that it has. */
    AsyncTable<AdvancedScanResultConsumer> like(Table table) throws IOException;
  }

  private final Table table;
  private final Layout layout;
  private final RowMapping rows;
  private final Scans scans;
  private final long budgetBytes;

  /**
   * A table behind its layout.
   *
   * @param table the plain table, which is closed with this one
   * @param budgetBytes about how many bytes all ranges of a scan together may hold ahead of the
   *     caller
   */
  public LogicalTable(Table table, RowMapping rows, Scans scans, long budgetBytes) {
    this.table = table;
    this.layout = rows.layout();
    this.rows = rows;
    this.scans = scans;
    this.budgetBytes = budgetBytes;
  }

  @Override
  public TableName getName() {
    return table.getName();
  }

  @Override
  public Configuration getConfiguration() {
    return table.getConfiguration();
  }

  @Override
  public TableDescriptor getDescriptor() throws IOException {
    return table.getDescriptor();
  }

  @Override
  public RegionLocator getRegionLocator() throws IOException {
    return LogicalRegionLocator.of(table.getRegionLocator(), rows, getConfiguration());
  }

  @Override
  public boolean[] exists(List<Get> gets) throws IOException {
    if (rows.isFree()) {
      boolean[] exist = new boolean[gets.size()];
      for (int i = 0; i < exist.length; i++) {
        exist[i] = existsAnywhere(gets.get(i));
      }
      return exist;
    }
    return table.exists(physical(gets));
  }

  private boolean existsAnywhere(Get get) throws IOException {
    for (boolean exists : table.exists(rows.physicalEverywhere(get))) {
      if (exists) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Result get(Get get) throws IOException {
    if (rows.isFree()) {
      Result[] found = table.get(rows.physicalEverywhere(get));
      return FreeRead.together(rows, get, List.of(found));
    }
    return rows.logical(table.get(rows.physical(get)));
  }

  @Override
  public Result[] get(List<Get> gets) throws IOException {
    if (rows.isFree()) {
      Result[] results = new Result[gets.size()];
      for (int i = 0; i < results.length; i++) {
        results[i] = get(gets.get(i));
      }
      return results;
    }
    Result[] results = table.get(physical(gets));
    for (int i = 0; i < results.length; i++) {
      results[i] = rows.logical(results[i]);
    }
    return results;
  }

  private List<Get> physical(List<Get> gets) throws IOException {
    List<Get> physical = new ArrayList<>(gets.size());
    for (Get get : gets) {
      physical.add(rows.physical(get));
    }
    return physical;
  }

  @Override
  public ResultScanner getScanner(Scan scan) throws IOException {
    ResultScanner scanner =
        PhysicalScans.of(getName(), rows, scan, budgetBytes).gather(scans.like(table));
    return scan.isScanMetricsEnabled() ? new MeasuredScanner(scanner, scan) : scanner;
  }

  @Override
  public ResultScanner getScanner(byte[] family) throws IOException {
    return getScanner(new Scan().addFamily(family));
  }

  @Override
  public ResultScanner getScanner(byte[] family, byte[] qualifier) throws IOException {
    return getScanner(new Scan().addColumn(family, qualifier));
  }

  @Override
  public void put(Put put) throws IOException {
    table.put(rows.physical(put));
  }

  @Override
  public void put(List<Put> puts) throws IOException {
    Mapped batch = new Mapped(puts);
    List<Put> physical = new ArrayList<>(puts.size());
    batch.physical.forEach(put -> physical.add((Put) put));
    try {
      table.put(physical);
    } catch (RetriesExhaustedWithDetailsException e) {
      throw batch.logical(e);
    }
  }

  @Override
  public void delete(Delete delete) throws IOException {
    table.delete(rows.physical(delete));
  }

  /** As in HBase, the list is left with the deletions that failed. */
  @Override
  public void delete(List<Delete> deletes) throws IOException {
    Mapped batch = new Mapped(deletes);
    List<Delete> left = new ArrayList<>(deletes.size());
    batch.physical.forEach(delete -> left.add((Delete) delete));
    try {
      table.delete(left);
    } catch (RetriesExhaustedWithDetailsException e) {
      throw batch.logical(e);
    } finally {
      Set<Row> failed = Collections.newSetFromMap(new IdentityHashMap<>());
      failed.addAll(left);
      for (int i = batch.physical.size() - 1; i >= 0; i--) {
        if (!failed.contains(batch.physical.get(i))) {
          deletes.remove(i);
        }
      }
    }
  }

  @Override
  public Result append(Append append) throws IOException {
    return rows.logical(table.append(rows.physical(append)));
  }

  @Override
  public Result increment(Increment increment) throws IOException {
    return rows.logical(table.increment(rows.physical(increment)));
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
    return rows.logical(table.mutateRow(rows.physical(mutations)));
  }

  @Override
  public CheckAndMutateResult checkAndMutate(CheckAndMutate check) throws IOException {
    return rows.logical(table.checkAndMutate(rows.physical(check)));
  }

  @Override
  public List<CheckAndMutateResult> checkAndMutate(List<CheckAndMutate> checks) throws IOException {
    List<CheckAndMutate> physical = new ArrayList<>(checks.size());
    for (CheckAndMutate check : checks) {
      physical.add(rows.physical(check));
    }
    return table.checkAndMutate(physical).stream().map(rows::logical).toList();
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
    Mapped batch = new Mapped(actions);
    Object[] results = emptied(wanted, actions.size());
    try {
      table.batch(batch.physical, results);
    } catch (RetriesExhaustedWithDetailsException e) {
      throw batch.logical(e);
    } finally {
      toLogical(results);
    }
  }

  @Override
  public <R> void batchCallback(
      List<? extends Row> actions, Object @Nullable [] wanted, Batch.Callback<R> callback)
      throws IOException, InterruptedException {
    Mapped batch = new Mapped(actions);
    Object[] results = emptied(wanted, actions.size());
    Batch.Callback<R> physical =
        (region, row, result) ->
            callback.update(region, layout.logical(row), rows.logicalResult(result));
    try {
      table.batchCallback(batch.physical, results, physical);
    } catch (RetriesExhaustedWithDetailsException e) {
      throw batch.logical(e);
    } finally {
      toLogical(results);
    }
  }

  // HBase lets callers who want no results give no room for them.
  private static Object[] emptied(Object @Nullable [] wanted, int size) {
    if (wanted == null) {
      return new Object[size];
    }
    Arrays.fill(wanted, null);
    return wanted;
  }

  private void toLogical(Object[] results) {
    for (int i = 0; i < results.length; i++) {
      results[i] = rows.logicalResult(results[i]);
    }
  }

  /** The physical actions of a list, and whose they are. */
  private final class Mapped {
    private final List<Row> physical = new ArrayList<>();
    private final IdentityHashMap<Row, Row> callers = new IdentityHashMap<>();

    Mapped(List<? extends Row> actions) throws IOException {
      for (Row action : actions) {
        Row mapped = rows.physical(action);
        physical.add(mapped);
        callers.put(mapped, action);
      }
    }

    Row caller(Row mapped) {
      return callers.getOrDefault(mapped, mapped);
    }

    RetriesExhaustedWithDetailsException logical(RetriesExhaustedWithDetailsException failure) {
      return Failures.logical(failure, this::caller);
    }
  }

  @Override
  public CoprocessorRpcChannel coprocessorService(byte[] row) {
    return CheckedChannel.of(table.coprocessorService(rows.physical(row)));
  }

  @Override
  public <T extends Service, R> Map<byte[], R> coprocessorService(
      Class<T> service, byte[] startKey, byte[] endKey, Batch.Call<T, R> callable)
      throws ServiceException, Throwable {
    checkWholeTable(startKey, endKey);
    return table.coprocessorService(service, startKey, endKey, checked(service, callable));
  }

  @Override
  public <T extends Service, R> void coprocessorService(
      Class<T> service,
      byte[] startKey,
      byte[] endKey,
      Batch.Call<T, R> callable,
      Batch.Callback<R> callback)
      throws ServiceException, Throwable {
    checkWholeTable(startKey, endKey);
    table.coprocessorService(service, startKey, endKey, checked(service, callable), callback);
  }

  private static <T extends Service, R> Batch.Call<T, R> checked(
      Class<T> service, Batch.Call<T, R> callable) {
    return stub -> callable.call(CheckedChannel.of(service, stub));
  }

  @Override
  public <R extends Message> Map<byte[], R> batchCoprocessorService(
      Descriptors.MethodDescriptor method,
      Message request,
      byte[] startKey,
      byte[] endKey,
      R response)
      throws ServiceException, Throwable {
    checkWholeTable(startKey, endKey);
    CheckedChannel.check(request);
    return table.batchCoprocessorService(method, request, startKey, endKey, response);
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
    checkWholeTable(startKey, endKey);
    CheckedChannel.check(request);
    table.batchCoprocessorService(method, request, startKey, endKey, response, callback);
  }

  private void checkWholeTable(byte[] startKey, byte[] endKey) {
    boolean whole =
        (startKey == null || startKey.length == 0) && (endKey == null || endKey.length == 0);
    if (!whole) {
      throw Refused.coprocessorOnRange(getName(), layout);
    }
  }

  @Override
  public Map<String, byte[]> getRequestAttributes() {
    return table.getRequestAttributes();
  }

  @Override
  public long getRpcTimeout(TimeUnit unit) {
    return table.getRpcTimeout(unit);
  }

  @Override
  public long getReadRpcTimeout(TimeUnit unit) {
    return table.getReadRpcTimeout(unit);
  }

  @Override
  public long getWriteRpcTimeout(TimeUnit unit) {
    return table.getWriteRpcTimeout(unit);
  }

  @Override
  public long getOperationTimeout(TimeUnit unit) {
    return table.getOperationTimeout(unit);
  }

  @Override
  public int getRpcTimeout() {
    return table.getRpcTimeout();
  }

  @Override
  public void setRpcTimeout(int millis) {
    table.setRpcTimeout(millis);
  }

  @Override
  public int getReadRpcTimeout() {
    return table.getReadRpcTimeout();
  }

  @Override
  public void setReadRpcTimeout(int millis) {
    table.setReadRpcTimeout(millis);
  }

  @Override
  public int getWriteRpcTimeout() {
    return table.getWriteRpcTimeout();
  }

  @Override
  public void setWriteRpcTimeout(int millis) {
    table.setWriteRpcTimeout(millis);
  }

  @Override
  public int getOperationTimeout() {
    return table.getOperationTimeout();
  }

  @Override
  public void setOperationTimeout(int millis) {
    table.setOperationTimeout(millis);
  }

  @Override
  public void close() throws IOException {
    table.close();
  }

  @Override
  public String toString() {
    return getName() + " " + layout;
  }
}
