package io.evenkey.client.table;

import com.google.protobuf.RpcChannel;
import io.evenkey.client.coprocessor.CheckedChannel;
import io.evenkey.client.row.RowMapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumerBase;
import org.apache.hadoop.hbase.client.ServiceCaller;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.filter.Filter;

/**
 * A table behind HBase's asynchronous interface: the row of every action and every result is the
 * logical key. What cannot be done on a spread table is refused by name. If the layout is not known
 * yet, calls wait for it without holding a thread. Thread-safe.
 *
 * @param <C> what observes the scans of this table
 */
public final class LogicalAsyncTable<C extends ScanResultConsumerBase> implements AsyncTable<C> {
  private final AsyncTable<C> table;
  private final LateRows late;
  private final AsyncScans<C> scans;

  /** A table behind its layout. */
  public LogicalAsyncTable(AsyncTable<C> table, LateRows late, AsyncScans<C> scans) {
    this.table = table;
    this.late = late;
    this.scans = scans;
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
  public CompletableFuture<TableDescriptor> getDescriptor() {
    return table.getDescriptor();
  }

  @Override
  public AsyncTableRegionLocator getRegionLocator() {
    return new LogicalAsyncRegionLocator(table.getRegionLocator(), late);
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
  public long getScanTimeout(TimeUnit unit) {
    return table.getScanTimeout(unit);
  }

  @Override
  public Map<String, byte[]> getRequestAttributes() {
    return table.getRequestAttributes();
  }

  @Override
  public CompletableFuture<Result> get(Get get) {
    return late.then(rows -> get(rows, get));
  }

  private CompletableFuture<Result> get(RowMapping rows, Get get) throws Exception {
    if (rows.isFree()) {
      return Futures.map(
          table.getAll(rows.physicalEverywhere(get)), found -> FreeRead.together(rows, get, found));
    }
    return Futures.map(table.get(rows.physical(get)), rows::logical);
  }

  @Override
  public List<CompletableFuture<Result>> get(List<Get> gets) {
    return late.each(
        gets.size(),
        rows -> {
          if (rows.isFree()) {
            List<CompletableFuture<Result>> found = new ArrayList<>(gets.size());
            for (Get get : gets) {
              found.add(get(rows, get));
            }
            return found;
          }
          List<Get> physical = new ArrayList<>(gets.size());
          for (Get get : gets) {
            physical.add(rows.physical(get));
          }
          return logical(rows, table.get(physical));
        });
  }

  private static <R> List<CompletableFuture<R>> logical(
      RowMapping rows, List<CompletableFuture<R>> results) {
    return results.stream().map(result -> Futures.map(result, rows::logicalResult)).toList();
  }

  private void check(List<? extends Row> actions) {
    if (!late.areKnown()) {
      int most = PutCheck.mostBytes(getConfiguration());
      actions.forEach(action -> PutCheck.check(action, most));
    }
  }

  @Override
  public CompletableFuture<Void> put(Put put) {
    check(List.of(put));
    return late.then(rows -> table.put(rows.physical(put)));
  }

  @Override
  public List<CompletableFuture<Void>> put(List<Put> puts) {
    check(puts);
    return late.each(puts.size(), rows -> table.put(puts.stream().map(rows::physical).toList()));
  }

  @Override
  public CompletableFuture<Void> delete(Delete delete) {
    return late.then(rows -> table.delete(rows.physical(delete)));
  }

  @Override
  public List<CompletableFuture<Void>> delete(List<Delete> deletes) {
    return late.each(
        deletes.size(), rows -> table.delete(deletes.stream().map(rows::physical).toList()));
  }

  @Override
  public CompletableFuture<Result> append(Append append) {
    return late.then(rows -> Futures.map(table.append(rows.physical(append)), rows::logical));
  }

  @Override
  public CompletableFuture<Result> increment(Increment increment) {
    return late.then(rows -> Futures.map(table.increment(rows.physical(increment)), rows::logical));
  }

  @Override
  public CompletableFuture<Result> mutateRow(RowMutations mutations) {
    check(List.of(mutations));
    return late.then(rows -> Futures.map(table.mutateRow(rows.physical(mutations)), rows::logical));
  }

  @Override
  public CompletableFuture<CheckAndMutateResult> checkAndMutate(CheckAndMutate check) {
    check(List.of(check));
    return late.then(
        rows -> Futures.map(table.checkAndMutate(rows.physical(check)), rows::logical));
  }

  @Override
  public List<CompletableFuture<CheckAndMutateResult>> checkAndMutate(List<CheckAndMutate> checks) {
    check(checks);
    return late.each(
        checks.size(),
        rows -> {
          List<CheckAndMutate> physical = new ArrayList<>(checks.size());
          for (CheckAndMutate check : checks) {
            physical.add(rows.physical(check));
          }
          return logical(rows, table.checkAndMutate(physical));
        });
  }

  @Override
  @Deprecated
  public CheckAndMutateBuilder checkAndMutate(byte[] row, byte[] family) {
    return new AsyncCheckBuilders.OfColumn(this, row, family);
  }

  @Override
  @Deprecated
  public CheckAndMutateWithFilterBuilder checkAndMutate(byte[] row, Filter filter) {
    return new AsyncCheckBuilders.OfFilter(this, row, filter);
  }

  @Override
  public <T> List<CompletableFuture<T>> batch(List<? extends Row> actions) {
    check(actions);
    return late.each(
        actions.size(),
        rows -> {
          List<Row> physical = new ArrayList<>(actions.size());
          for (Row action : actions) {
            physical.add(rows.physical(action));
          }
          return logical(rows, table.<T>batch(physical));
        });
  }

  @Override
  public void scan(Scan scan, C consumer) {
    CompletableFuture<Void> started =
        late.then(
            rows -> {
              if (rows.isPlain()) {
                table.scan(scan, consumer);
              } else {
                scans.start(table, physical(rows, scan), consumer);
              }
              return CompletableFuture.completedFuture(null);
            });
    Futures.onFailure(started, consumer::onError);
  }

  private PhysicalScans physical(RowMapping rows, Scan scan) throws Exception {
    return PhysicalScans.of(getName(), rows, scan, scans.budgetBytes());
  }

  @Override
  public ResultScanner getScanner(Scan scan) {
    return new LateScanner(
        late.then(
            rows ->
                CompletableFuture.completedFuture(
                    rows.isPlain()
                        ? table.getScanner(scan)
                        : physical(rows, scan).gather(scans.like(table)))));
  }

  @Override
  public CompletableFuture<List<Result>> scanAll(Scan scan) {
    return late.then(
        rows -> rows.isPlain() ? table.scanAll(scan) : scans.all(table, physical(rows, scan)));
  }

  @Override
  public <S, R> CompletableFuture<R> coprocessorService(
      Function<RpcChannel, S> stubMaker, ServiceCaller<S, R> callable, byte[] row) {
    return late.then(
        rows -> table.coprocessorService(checked(rows, stubMaker), callable, rows.physical(row)));
  }

  @Override
  public <S, R> CoprocessorServiceBuilder<S, R> coprocessorService(
      Function<RpcChannel, S> stubMaker,
      ServiceCaller<S, R> callable,
      CoprocessorCallback<R> callback) {
    return new WholeTableCall<>(
        rows -> table.coprocessorService(checked(rows, stubMaker), callable, callback), callback);
  }

  @Override
  public <S, R> CoprocessorServiceBuilder<S, R> coprocessorService(
      Function<RpcChannel, S> stubMaker,
      ServiceCaller<S, R> callable,
      PartialResultCoprocessorCallback<S, R> callback) {
    return new WholeTableCall<>(
        rows -> table.coprocessorService(checked(rows, stubMaker), callable, callback), callback);
  }

  private static <S> Function<RpcChannel, S> checked(
      RowMapping rows, Function<RpcChannel, S> stubMaker) {
    return rows.isPlain() ? stubMaker : channel -> stubMaker.apply(CheckedChannel.of(channel));
  }

  /** A coprocessor call on all regions; one on a range of keys is refused. */
  private final class WholeTableCall<S, R> implements CoprocessorServiceBuilder<S, R> {
    private final Function<RowMapping, CoprocessorServiceBuilder<S, R>> plain;
    private final CoprocessorCallback<R> callback;
    private final List<UnaryOperator<CoprocessorServiceBuilder<S, R>>> bounds = new ArrayList<>();
    private boolean whole = true;

    WholeTableCall(
        Function<RowMapping, CoprocessorServiceBuilder<S, R>> plain,
        CoprocessorCallback<R> callback) {
      this.plain = plain;
      this.callback = callback;
    }

    @Override
    public CoprocessorServiceBuilder<S, R> fromRow(byte[] startKey, boolean inclusive) {
      whole &= startKey.length == 0;
      bounds.add(call -> call.fromRow(startKey, inclusive));
      return this;
    }

    @Override
    public CoprocessorServiceBuilder<S, R> toRow(byte[] endKey, boolean inclusive) {
      whole &= endKey.length == 0;
      bounds.add(call -> call.toRow(endKey, inclusive));
      return this;
    }

    @Override
    public void execute() {
      CompletableFuture<Void> made =
          late.then(
              rows -> {
                if (!whole && !rows.isPlain()) {
                  return CompletableFuture.failedFuture(
                      Refused.coprocessorOnRange(getName(), rows.layout()));
                }
                CoprocessorServiceBuilder<S, R> call = plain.apply(rows);
                for (UnaryOperator<CoprocessorServiceBuilder<S, R>> bound : bounds) {
                  call = bound.apply(call);
                }
                call.execute();
                return CompletableFuture.completedFuture(null);
              });
      Futures.onFailure(made, callback::onError);
    }
  }

  @Override
  public String toString() {
    return getName().toString();
  }
}
