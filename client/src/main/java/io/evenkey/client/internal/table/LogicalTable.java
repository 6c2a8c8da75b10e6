/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import com.google.protobuf.Descriptors;
import com.google.protobuf.Message;
import com.google.protobuf.Service;
import com.google.protobuf.ServiceException;
import io.evenkey.client.internal.coprocessor.CheckedChannel;
import io.evenkey.client.internal.index.IndexWrites;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.Resumption;
import io.evenkey.client.internal.route.Route;
import io.evenkey.client.internal.route.RoutedScanner;
import io.evenkey.client.internal.route.TimeLimit;
import io.evenkey.client.internal.row.Attempts;
import io.evenkey.client.internal.row.RowMapping;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HConstants;
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
import org.apache.hadoop.hbase.trace.HBaseSemanticAttributes.Operation;
import org.apache.hadoop.hbase.trace.TraceUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A table behind HBase's own interface: the row of every action and every result is the logical
 * key, whatever the layout and the generation. What cannot be done on a spread table is refused by
 * name. Operations on a table without a layout are HBase's own. As thread-safe as HBase's tables.
 */
@SuppressWarnings("deprecation") // what HBase still has in the interface
public final class LogicalTable implements Table {
  /** The source of the table's scans; opened at the first of them. */
  @FunctionalInterface
  public interface Scans {
    /** The same table, for scanning, with the timeouts and the request attributes that it has. */
    ScannedTable like(Table table) throws IOException;
  }

  private final Route route;
  private final Route scanRoute;
  private final GenerationTables generations;
  private final Table own;
  private final Scans scans;
  private final EntryTables indexes;
  private final @Nullable RowsOfEntries rowsOfEntries;
  private final long budgetBytes;

  /**
   * A table.
   *
   * @param generations closed with this
   * @param indexes the tables of the table's indexes
   * @param rowsOfEntries the rows that are read if the table is that of an index; null to read
   *     entries as they are stored
   * @param budgetBytes about how many bytes all ranges of a scan together may hold ahead of the
   *     caller
   */
  public LogicalTable(
      Route route,
      GenerationTables generations,
      Scans scans,
      EntryTables indexes,
      @Nullable RowsOfEntries rowsOfEntries,
      long budgetBytes) {
    this.generations = generations;
    this.own = generations.own();
    this.route = route.within(generations::operationTimeoutMs);
    // As HBase's: a scanner does not have the timeout of the table's operations.
    int scanMs =
        own.getConfiguration()
            .getInt(
                HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD,
                HConstants.DEFAULT_HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD);
    this.scanRoute = route.within(() -> scanMs);
    this.scans = scans;
    this.indexes = indexes;
    this.rowsOfEntries = rowsOfEntries;
    this.budgetBytes = budgetBytes;
  }

  /** The tables for an operation on one generation. */
  private final class Limited implements OperationTables {
    private final Generation generation;
    private final TimeLimit limit;

    Limited(Generation generation, TimeLimit limit) {
      this.generation = generation;
      this.limit = limit;
    }

    @Override
    public Table stored() throws IOException {
      return generations.open(generation, limit);
    }

    @Override
    public Table entries(TableName index) throws IOException {
      return GenerationTables.limited(
          GenerationTables.withTimeoutsOf(own, indexes.open(index)), limit);
    }
  }

  /** An operation on HBase's own table, by a mapping of the rows. */
  @FunctionalInterface
  private interface Call<R> {
    R on(OperationTables tables, RowMapping rows) throws IOException;
  }

  private <R> R call(Call<R> call) throws IOException {
    return route.once(
        null,
        (generation, limit) -> {
          route.checkRowBytes(generation);
          return call.on(new Limited(generation, limit), generation.rows());
        });
  }

  /** A read of the rows of entries, if the table is that of an index. */
  @FunctionalInterface
  private interface IndexCall<R> {
    R on(IndexTableReads reads, TimeLimit limit) throws IOException;
  }

  private <R> R read(IndexCall<R> ofIndex, Call<R> call) throws IOException {
    return route.once(
        null,
        (generation, limit) -> {
          route.checkRowBytes(generation);
          IndexTableReads reads = IndexTableReads.of(generation, rowsOfEntries);
          return reads == null
              ? call.on(new Limited(generation, limit), generation.rows())
              : ofIndex.on(reads, limit);
        });
  }

  @SuppressWarnings("unchecked") // a copy is of the same type
  private <A extends Row, R> R once(A action, OnceCall<A, R> call) throws IOException {
    Attempts.Counted counted = Attempts.of(action);
    return route.once(
        counted.attempts(),
        (generation, limit) -> {
          route.checkRowBytes(generation);
          OperationTables tables = new Limited(generation, limit);
          EntryWriter.Ready<Row> ready =
              EntryWriter.before(tables, getConfiguration(), generation.rows(), counted.action());
          return call.on(tables.stored(), ready.rows(), (A) ready.action());
        });
  }

  /** An operation that is made once only. */
  @FunctionalInterface
  private interface OnceCall<A, R> {
    R on(Table stored, RowMapping rows, A action) throws IOException;
  }

  // HBase throws nothing where it only builds something.
  private Generation now() {
    try {
      return route.now();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
    Generation generation = route.now();
    TableDescriptor stored = generations.open(generation).getDescriptor();
    return generation.physical().equals(getName())
        ? stored
        : TableDescriptorBuilder.copy(getName(), stored);
  }

  @Override
  public RegionLocator getRegionLocator() throws IOException {
    return LogicalRegionLocator.of(
        route, generation -> generations.open(generation).getRegionLocator(), getConfiguration());
  }

  @Override
  public boolean exists(Get get) throws IOException {
    return read(
        (index, limit) -> index.exists(get, limit),
        (tables, rows) ->
            rows.isFree()
                ? traced(Operation.GET, () -> RandomSaltRead.exists(tables, rows, get))
                : tables.stored().exists(rows.physical(get)));
  }

  // A get in all buckets is several of HBase's.
  private <R> R traced(Operation operation, TraceUtil.ThrowingCallable<R, IOException> get)
      throws IOException {
    return TraceUtil.trace(get, () -> generations.spans().start(getName(), operation));
  }

  @Override
  public boolean[] exists(List<Get> gets) throws IOException {
    return read(
        (index, limit) -> index.exist(gets, limit),
        (tables, rows) ->
            rows.isFree()
                ? traced(Operation.BATCH, () -> RandomSaltRead.exist(tables, rows, gets))
                : tables.stored().exists(rows.physical(gets)));
  }

  @Override
  public Result get(Get get) throws IOException {
    return read(
        (index, limit) -> index.get(get, limit),
        (tables, rows) ->
            rows.isFree()
                ? traced(Operation.GET, () -> RandomSaltRead.get(tables, rows, get))
                : rows.logical(tables.stored().get(rows.physical(get)), get));
  }

  @Override
  public Result[] get(List<Get> gets) throws IOException {
    return read(
        (index, limit) -> index.get(gets, limit),
        (tables, rows) -> {
          if (rows.isFree()) {
            return traced(Operation.BATCH, () -> RandomSaltRead.get(tables, rows, gets));
          }
          Result[] results = tables.stored().get(rows.physical(gets));
          for (int i = 0; i < results.length; i++) {
            results[i] = rows.logical(results[i]);
          }
          return results;
        });
  }

  @Override
  public ResultScanner getScanner(Scan scan) throws IOException {
    return RoutedScanner.open(
        scanRoute,
        Resumption.isPossible(scan),
        scan.getLimit(),
        (generation, after, rows, limit) ->
            scanner(generation, Resumption.rest(scan, after, rows), scan, limit));
  }

  private ResultScanner scanner(Generation generation, Scan scan, Scan callers, TimeLimit limit)
      throws IOException {
    RowBytes.check(route, generation, callers);
    IndexTableReads index = IndexTableReads.of(generation, rowsOfEntries);
    if (index != null) {
      return new BlockingScanner(index.scanner(scan), callers);
    }
    Table stored = generations.open(generation);
    RowMapping rows = generation.rows();
    if (rows.isPlain()) {
      // The split of a job that began when the table was spread would be an empty range.
      JobSplit.of(scan.getStopRow(), generation);
      Scan made = rows.stored(scan);
      if (!limit.isBounded()) {
        ResultScanner scanner = stored.getScanner(made);
        return made == callers ? scanner : new BlockingScanner(scanner, callers);
      }
    }
    PhysicalScans ranges = PhysicalScans.of(generation, scan, budgetBytes);
    return new BlockingScanner(ranges.gather(scans.like(stored), limit), callers);
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
    call(
        (tables, rows) -> {
          PutCheck.checkStored(put, rows, PutCheck.mostBytes(getConfiguration()));
          EntryWriter.Ready<Put> ready = EntryWriter.before(tables, getConfiguration(), rows, put);
          tables.stored().put(ready.rows().physical(ready.action()));
          return Result.EMPTY_RESULT;
        });
  }

  @Override
  public void put(List<Put> puts) throws IOException {
    int most = PutCheck.mostBytes(getConfiguration());
    puts.forEach(put -> PutCheck.check(Objects.requireNonNull(put, "put is null"), most));
    makeAll(
        puts,
        new Object[puts.size()],
        (rows, some) -> some.forEach(put -> PutCheck.checkStored(put, rows, most)));
  }

  @Override
  public void delete(Delete delete) throws IOException {
    call(
        (tables, rows) -> {
          EntryWriter.Ready<Delete> ready =
              EntryWriter.before(tables, getConfiguration(), rows, delete);
          tables.stored().delete(ready.rows().physical(ready.action()));
          return Result.EMPTY_RESULT;
        });
  }

  /** As in HBase, the list is left with the deletions that failed. */
  @Override
  public void delete(List<Delete> deletes) throws IOException {
    // With what is null in it: HBase rejects that.
    List<Delete> all = new ArrayList<>(deletes);
    Object[] results = new Object[all.size()];
    try {
      // By batch, as HBase does it too: its own delete would empty what may have to be repeated.
      makeAll(all, results);
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
    return once(
        append,
        (stored, rows, action) -> rows.logical(stored.append(rows.physical(action)), action));
  }

  @Override
  public Result increment(Increment increment) throws IOException {
    return once(
        increment,
        (stored, rows, action) -> rows.logical(stored.increment(rows.physical(action)), action));
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
    if (row.length == 0 || row.length > HConstants.MAX_ROW_LENGTH) {
      // No row: HBase rejects it.
      return own.incrementColumnValue(row, family, qualifier, amount, durability);
    }
    Increment increment = new Increment(row).addColumn(family, qualifier, amount);
    return Bytes.toLong(increment(increment.setDurability(durability)).getValue(family, qualifier));
  }

  @Override
  public Result mutateRow(RowMutations mutations) throws IOException {
    return once(
        mutations,
        (stored, rows, action) -> rows.logical(stored.mutateRow(rows.physical(action)), action));
  }

  @Override
  public CheckAndMutateResult checkAndMutate(CheckAndMutate check) throws IOException {
    return once(
        check,
        (stored, rows, action) -> rows.logical(stored.checkAndMutate(rows.physical(action))));
  }

  @Override
  public List<CheckAndMutateResult> checkAndMutate(List<CheckAndMutate> checks) throws IOException {
    if (checks.size() == 1) {
      // By itself, as HBase does it: it is checked and fails otherwise than in a batch.
      return List.of(checkAndMutate(checks.get(0)));
    }
    Object[] results = new Object[checks.size()];
    makeAll(checks, results);
    return Arrays.stream(results).map(result -> (CheckAndMutateResult) result).toList();
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
    return check(
        row,
        family,
        qualifier,
        operator,
        value,
        mutations,
        (stored, physical, made) ->
            stored.checkAndMutate(
                physical, family, qualifier, operator, value, (RowMutations) made));
  }

  @Override
  public boolean checkAndPut(byte[] row, byte[] family, byte[] qualifier, byte[] value, Put put)
      throws IOException {
    return check(
        row,
        family,
        qualifier,
        CompareOperator.EQUAL,
        value,
        put,
        (stored, physical, made) ->
            stored.checkAndPut(physical, family, qualifier, value, (Put) made));
  }

  @Override
  public boolean checkAndPut(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareFilter.CompareOp operator,
      byte[] value,
      Put put)
      throws IOException {
    return check(
        row,
        family,
        qualifier,
        newer(operator),
        value,
        put,
        (stored, physical, made) ->
            stored.checkAndPut(physical, family, qualifier, operator, value, (Put) made));
  }

  @Override
  public boolean checkAndPut(
      byte[] row, byte[] family, byte[] qualifier, CompareOperator operator, byte[] value, Put put)
      throws IOException {
    return check(
        row,
        family,
        qualifier,
        operator,
        value,
        put,
        (stored, physical, made) ->
            stored.checkAndPut(physical, family, qualifier, operator, value, (Put) made));
  }

  @Override
  public boolean checkAndDelete(
      byte[] row, byte[] family, byte[] qualifier, byte[] value, Delete delete) throws IOException {
    return check(
        row,
        family,
        qualifier,
        CompareOperator.EQUAL,
        value,
        delete,
        (stored, physical, made) ->
            stored.checkAndDelete(physical, family, qualifier, value, (Delete) made));
  }

  @Override
  public boolean checkAndDelete(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareFilter.CompareOp operator,
      byte[] value,
      Delete delete)
      throws IOException {
    return check(
        row,
        family,
        qualifier,
        newer(operator),
        value,
        delete,
        (stored, physical, made) ->
            stored.checkAndDelete(physical, family, qualifier, operator, value, (Delete) made));
  }

  @Override
  public boolean checkAndDelete(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareOperator operator,
      byte[] value,
      Delete delete)
      throws IOException {
    return check(
        row,
        family,
        qualifier,
        operator,
        value,
        delete,
        (stored, physical, made) ->
            stored.checkAndDelete(physical, family, qualifier, operator, value, (Delete) made));
  }

  /** One of HBase's older calls on the stored table, with the physical row and action. */
  @FunctionalInterface
  private interface OlderCheck {
    boolean on(Table stored, byte[] physical, Row action) throws IOException;
  }

  // HBase itself rejects what is no check or no change, or of two rows.
  private boolean check(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      @Nullable CompareOperator operator,
      byte[] value,
      Row action,
      OlderCheck call)
      throws IOException {
    boolean isRow = row != null && row.length > 0 && row.length <= HConstants.MAX_ROW_LENGTH;
    CheckAndMutate check =
        !isRow || family == null || operator == null
            ? null
            : CheckBuilders.newer(
                CheckAndMutate.newBuilder(row).ifMatches(family, qualifier, operator, value),
                row,
                action);
    if (check != null) {
      return once(
          check,
          (stored, rows, one) -> {
            CheckAndMutate physical = rows.physical(one);
            return call.on(stored, physical.getRow(), physical.getAction());
          });
    }
    return call(
        (tables, rows) ->
            call.on(
                tables.stored(),
                isRow ? rows.physical(row) : row,
                action == null ? action : rows.afterEntries().physical(action)));
  }

  private static @Nullable CompareOperator newer(CompareFilter.@Nullable CompareOp operator) {
    return operator == null ? null : CompareOperator.valueOf(operator.name());
  }

  /** A check and change as an older builder says them. */
  boolean check(CheckBuilders.Then then, @Nullable Row action) throws IOException {
    CheckAndMutate check = then.check(action);
    return check == null
        ? call((tables, rows) -> then.rejected(tables.stored(), rows, action))
        : once(check, (stored, rows, one) -> CheckBuilders.send(stored, rows.physical(one)));
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
    return check(
        row,
        family,
        qualifier,
        newer(operator),
        value,
        mutations,
        (stored, physical, made) ->
            stored.checkAndMutate(
                physical, family, qualifier, operator, value, (RowMutations) made));
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
    makeAll(actions, emptied(wanted, actions.size()));
  }

  @Override
  public <R> void batchCallback(
      List<? extends Row> actions, Object @Nullable [] wanted, Batch.Callback<R> callback)
      throws IOException, InterruptedException {
    route.batch(
        actions,
        emptied(wanted, actions.size()),
        (generation, some, results, limit) -> {
          route.checkRowBytes(generation);
          RowMapping rows = generation.rows();
          Batch.Callback<R> logical =
              rows.isPlain()
                  ? callback
                  : (region, row, result) ->
                      callback.update(
                          region, rows.layout().logical(row), rows.logicalResult(result));
          indexed(
              new Limited(generation, limit),
              some.size() == actions.size(),
              some,
              results,
              (stored, mapping, ready, into) ->
                  LogicalBatch.of(mapping, ready)
                      .run(into, physical -> stored.batchCallback(physical, into, logical)));
        });
  }

  private void makeAll(List<? extends Row> actions, Object[] all) throws IOException {
    makeAll(actions, all, (rows, some) -> {});
  }

  private void makeAll(
      List<? extends Row> actions, Object[] all, BiConsumer<RowMapping, List<? extends Row>> check)
      throws IOException {
    route.batch(
        actions,
        all,
        (generation, some, results, limit) -> {
          route.checkRowBytes(generation);
          check.accept(generation.rows(), some);
          indexed(
              new Limited(generation, limit),
              some.size() == actions.size(),
              some,
              results,
              (stored, rows, ready, into) ->
                  LogicalBatch.of(rows, ready).run(into, physical -> stored.batch(physical, into)));
        });
  }

  /** A batch by a mapping of the rows. */
  @FunctionalInterface
  private interface MappedBatch {
    void run(Table stored, RowMapping rows, List<? extends Row> actions, Object[] results)
        throws IOException;
  }

  private void indexed(
      Limited tables,
      boolean whole,
      List<? extends Row> actions,
      Object[] results,
      MappedBatch batch)
      throws IOException {
    Generation generation = tables.generation;
    IndexTableReads index = IndexTableReads.of(generation, rowsOfEntries);
    if (index != null) {
      System.arraycopy(index.get(index.gets(actions), tables.limit), 0, results, 0, results.length);
      return;
    }
    RowMapping rows = generation.rows();
    IndexWrites indexes = rows.indexes();
    if (indexes == null) {
      batch.run(tables.stored(), rows, actions, results);
      return;
    }
    IndexedBatch.run(
        tables,
        indexes,
        whole,
        actions,
        results,
        gets -> BatchReads.read(tables, tables.limit, rows, gets, scans),
        (ready, into) -> batch.run(tables.stored(), rows.afterEntries(), ready, into));
  }

  // HBase lets callers who want no results give no room for them.
  private static Object[] emptied(Object @Nullable [] wanted, int size) {
    if (wanted == null) {
      return new Object[size];
    }
    Arrays.fill(wanted, null);
    return wanted;
  }

  @Override
  public CoprocessorRpcChannel coprocessorService(byte[] row) {
    Generation generation = now();
    checkCoprocessor(generation);
    checkCoprocessorRow(generation);
    RowMapping rows = generation.rows();
    Table stored = generations.open(generation);
    return rows.isPlain() || row == null
        ? stored.coprocessorService(row)
        : CheckedChannel.of(stored.coprocessorService(rows.physical(row)));
  }

  @Override
  public <T extends Service, R> Map<byte[], R> coprocessorService(
      Class<T> service, byte[] startKey, byte[] endKey, Batch.Call<T, R> callable)
      throws ServiceException, Throwable {
    Generation generation = route.now();
    return generations
        .open(generation)
        .coprocessorService(
            service, startKey, endKey, checked(generation, service, startKey, endKey, callable));
  }

  @Override
  public <T extends Service, R> void coprocessorService(
      Class<T> service,
      byte[] startKey,
      byte[] endKey,
      Batch.Call<T, R> callable,
      Batch.Callback<R> callback)
      throws ServiceException, Throwable {
    Generation generation = route.now();
    generations
        .open(generation)
        .coprocessorService(
            service,
            startKey,
            endKey,
            checked(generation, service, startKey, endKey, callable),
            callback);
  }

  private <T extends Service, R> Batch.Call<T, R> checked(
      Generation generation,
      Class<T> service,
      byte[] startKey,
      byte[] endKey,
      Batch.Call<T, R> callable) {
    checkWholeTable(generation, startKey, endKey);
    return generation.rows().isPlain()
        ? callable
        : stub -> callable.call(CheckedChannel.of(service, stub));
  }

  @Override
  public <R extends Message> Map<byte[], R> batchCoprocessorService(
      Descriptors.MethodDescriptor method,
      Message request,
      byte[] startKey,
      byte[] endKey,
      R response)
      throws ServiceException, Throwable {
    Generation generation = checked(request, startKey, endKey);
    return generations
        .open(generation)
        .batchCoprocessorService(method, request, startKey, endKey, response);
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
    Generation generation = checked(request, startKey, endKey);
    generations
        .open(generation)
        .batchCoprocessorService(method, request, startKey, endKey, response, callback);
  }

  private Generation checked(Message request, byte[] startKey, byte[] endKey) throws IOException {
    Generation generation = route.now();
    checkWholeTable(generation, startKey, endKey);
    if (request != null && !generation.rows().isPlain()) {
      CheckedChannel.check(request);
    }
    return generation;
  }

  private void checkCoprocessor(Generation generation) {
    IndexTableReads index = IndexTableReads.of(generation, rowsOfEntries);
    if (index != null) {
      throw new UnsupportedOperationException(index.coprocessor().getMessage());
    }
  }

  private void checkCoprocessorRow(Generation generation) {
    try {
      route.checkRowBytes(generation);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void checkWholeTable(Generation generation, byte[] startKey, byte[] endKey) {
    checkCoprocessor(generation);
    boolean whole =
        (startKey == null || startKey.length == 0) && (endKey == null || endKey.length == 0);
    if (!whole) {
      checkCoprocessorRow(generation);
    }
    if (!whole && !generation.rows().isPlain()) {
      throw Refused.coprocessorOnRange(getName(), generation.rows().layout());
    }
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
    return getName().toString();
  }
}
