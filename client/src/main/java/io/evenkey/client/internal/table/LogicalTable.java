/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import com.google.protobuf.Descriptors;
import com.google.protobuf.Message;
import com.google.protobuf.Service;
import com.google.protobuf.ServiceException;
import io.evenkey.client.internal.coprocessor.CheckedChannel;
import io.evenkey.client.internal.future.Futures;
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
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
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
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
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
 * A table behind HBase's own interface: the row of every action and every result is the logical
 * key, whatever the layout and the generation. What cannot be done on a spread table is rejected
 * with an error that names it. Operations on a table without a layout are HBase's own. As
 * thread-safe as HBase's tables.
 */
@SuppressWarnings("deprecation") // what HBase still has in the interface
public final class LogicalTable implements Table {
  /** The source of the table's scans; opened at the first of them. */
  @FunctionalInterface
  public interface Scans {
    /** Opens a table for scans, with the timeouts and the request attributes that it has. */
    ScannedTable like(Table table) throws IOException;
  }

  /** Opens the asynchronous table behind a blocking one. */
  @FunctionalInterface
  public interface AsyncTables {
    /**
     * The table by logical keys.
     *
     * @param rowsOfEntries the rows that are read if the table is that of an index; null to read
     *     entries as they are stored
     */
    LogicalAsyncTable<?> open(
        Route route, CallSettings settings, @Nullable RowsOfEntries rowsOfEntries)
        throws IOException;
  }

  private final Route route;
  private final Route scanRoute;
  private final GenerationTables generations;
  private final Table own;
  private final Scans scans;
  private final AsyncTables later;
  private final @Nullable RowsOfEntries rowsOfEntries;
  private final long budgetBytes;

  /** For operations that are asynchronous from their beginning; null until one is. */
  private volatile @Nullable LogicalAsyncTable<?> whole;

  /**
   * A table.
   *
   * @param generations closed with this
   * @param later opens the table for what is done asynchronously
   * @param rowsOfEntries the rows that are read if the table is that of an index; null to read
   *     entries as they are stored
   * @param budgetBytes about how many bytes all ranges of a scan together may hold ahead of the
   *     caller
   */
  public LogicalTable(
      Route route,
      GenerationTables generations,
      Scans scans,
      AsyncTables later,
      @Nullable RowsOfEntries rowsOfEntries,
      long budgetBytes) {
    this.generations = generations;
    this.own = generations.own();
    this.route = route.within(generations::operationTimeoutMs).ofWaitingCallers();
    // As HBase's: a scanner does not have the timeout of the table's operations.
    int scanMs =
        own.getConfiguration()
            .getInt(
                HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD,
                HConstants.DEFAULT_HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD);
    this.scanRoute = route.within(() -> scanMs);
    this.scans = scans;
    this.later = later;
    this.rowsOfEntries = rowsOfEntries;
    this.budgetBytes = budgetBytes;
  }

  /** An operation on HBase's own table, by a mapping of the rows. */
  @FunctionalInterface
  private interface Call<R> {
    R on(Table stored, RowMapping rows) throws IOException;
  }

  /** An operation on the asynchronous table, whose answer is waited for. */
  @FunctionalInterface
  private interface Later<R> {
    R on(LogicalAsyncTable<?> table) throws IOException;
  }

  /** An operation that is made once only. */
  @FunctionalInterface
  private interface OnceCall<A, R> {
    R on(Table stored, RowMapping rows, A action) throws IOException;
  }

  private <R> R read(Call<R> call, Later<R> later) throws IOException {
    return made(null, this::isReadLater, call, later);
  }

  private <R> R write(Call<R> call, Later<R> later) throws IOException {
    return made(null, this::isWrittenLater, call, later);
  }

  @SuppressWarnings("unchecked") // a copy is of the same type
  private <A extends Row, R> R once(A action, OnceCall<A, R> call, Later<R> later)
      throws IOException {
    Attempts.Counted counted = Attempts.of(action);
    return made(
        counted.attempts(),
        this::isWrittenLater,
        (stored, rows) -> call.on(stored, rows, (A) counted.action()),
        later);
  }

  /** Makes an operation; one that is refused is made again asynchronously. */
  private <R> R made(
      @Nullable Attempts attempts, Predicate<Generation> isLater, Call<R> call, Later<R> later)
      throws IOException {
    TimeLimit limit = route.limit();
    Generation used = route.now(limit);
    route.checkRowBytes(used);
    if (!isLater.test(used)) {
      try {
        return call.on(generations.open(used, limit), used.rows());
      } catch (IOException e) {
        if (!route.isRefused(e, used, attempts)) {
          throw e;
        }
      }
    }
    return later.on(later(limit));
  }

  // A table of which HBase's own cannot be asked for rows.
  private boolean isOfEntries(Generation generation) {
    return IndexTableReads.of(generation, rowsOfEntries) != null;
  }

  // Nor one of which it knows no row: each is read in all buckets.
  private boolean isReadLater(Generation generation) {
    return generation.rows().isRandom() || isOfEntries(generation);
  }

  private boolean isWrittenLater(Generation generation) {
    return generation.rows().indexes() != null || isOfEntries(generation);
  }

  /** The table for the rest of an operation. */
  private LogicalAsyncTable<?> later(TimeLimit limit) throws IOException {
    if (!limit.isWhole()) {
      return later.open(route.restOf(limit), generations.settings().within(limit), rowsOfEntries);
    }
    LogicalAsyncTable<?> known = whole;
    if (known == null) {
      known = later.open(route, generations.settings(), rowsOfEntries);
      whole = known;
    }
    return known;
  }

  private void set(Consumer<Table> setting) {
    generations.set(setting);
    whole = null;
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
        (stored, rows) -> stored.exists(rows.physical(get)),
        table -> one(table, new Get(get).setCheckExistenceOnly(true)).getExists());
  }

  @Override
  public boolean[] exists(List<Get> gets) throws IOException {
    return read(
        (stored, rows) -> stored.exists(rows.physical(gets)),
        table -> {
          List<Get> asked = new ArrayList<>(gets.size());
          gets.forEach(get -> asked.add(new Get(get).setCheckExistenceOnly(true)));
          Result[] rows = all(table, asked);
          boolean[] exist = new boolean[rows.length];
          for (int i = 0; i < exist.length; i++) {
            exist[i] = rows[i].getExists();
          }
          return exist;
        });
  }

  private Result[] all(LogicalAsyncTable<?> table, List<Get> gets) throws IOException {
    Generation now = route.now();
    if (isOfEntries(now)) {
      return Futures.get(table.getAll(gets)).toArray(Result[]::new);
    }
    Object[] results = new Object[gets.size()];
    if (now.rows().isRandom()) {
      LaterBatch.end(table.get(gets), gets, results, places(results));
    } else {
      LaterBatch.run(table, gets, results, places(results), null);
    }
    return Arrays.copyOf(results, results.length, Result[].class);
  }

  // In all buckets, it is several of HBase's, and fails as these do.
  private Result one(LogicalAsyncTable<?> table, Get get) throws IOException {
    return route.now().rows().isRandom()
        ? all(table, List.of(get))[0]
        : Futures.get(table.get(get));
  }

  private static int[] places(Object[] results) {
    return IntStream.range(0, results.length).toArray();
  }

  @Override
  public Result get(Get get) throws IOException {
    return read(
        (stored, rows) -> rows.results().logical(stored.get(rows.physical(get)), get),
        table -> one(table, get));
  }

  @Override
  public Result[] get(List<Get> gets) throws IOException {
    return read(
        (stored, rows) -> {
          Result[] results = stored.get(rows.physical(gets));
          for (int i = 0; i < results.length; i++) {
            results[i] = rows.results().logical(results[i]);
          }
          return results;
        },
        table -> all(table, gets));
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
    RowBytes.check(route, generation, callers, getConfiguration());
    IndexTableReads index = IndexTableReads.of(generation, rowsOfEntries);
    if (index != null) {
      return BlockingScanner.of(index.scanner(scan), callers);
    }
    Table stored = generations.open(generation);
    RowMapping rows = generation.rows();
    if (rows.isPlain()) {
      // The split of a job that began when the table was spread would be an empty range.
      JobSplit.of(scan.getStopRow(), generation);
      Scan made = rows.stored(scan);
      if (!limit.isBounded()) {
        ResultScanner scanner = stored.getScanner(made);
        return made == callers ? scanner : BlockingScanner.of(scanner, callers);
      }
    }
    PhysicalScans ranges = PhysicalScans.of(generation, scan, budgetBytes);
    return BlockingScanner.of(ranges.gather(scans.like(stored), limit), callers);
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
    write(
        (stored, rows) -> {
          PutCheck.checkStored(put, rows, PutCheck.mostBytes(getConfiguration()));
          stored.put(rows.physical(put));
          return Result.EMPTY_RESULT;
        },
        table -> {
          Futures.get(table.put(put));
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
        (rows, some) -> some.forEach(put -> PutCheck.checkStored(put, rows, most)),
        null);
  }

  @Override
  public void delete(Delete delete) throws IOException {
    write(
        (stored, rows) -> {
          stored.delete(rows.physical(delete));
          return Result.EMPTY_RESULT;
        },
        table -> {
          Futures.get(table.delete(delete));
          return Result.EMPTY_RESULT;
        });
  }

  /** Removes the successful deletions from the list, as HBase does. */
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
        (stored, rows, action) ->
            rows.results().logical(stored.append(rows.physical(action)), action),
        table -> Futures.get(table.append(append)));
  }

  @Override
  public Result increment(Increment increment) throws IOException {
    return once(
        increment,
        (stored, rows, action) ->
            rows.results().logical(stored.increment(rows.physical(action)), action),
        table -> Futures.get(table.increment(increment)));
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
        (stored, rows, action) ->
            rows.results().logical(stored.mutateRow(rows.physical(action)), action),
        table -> Futures.get(table.mutateRow(mutations)));
  }

  @Override
  public CheckAndMutateResult checkAndMutate(CheckAndMutate check) throws IOException {
    return once(
        check,
        (stored, rows, action) ->
            rows.results().logical(stored.checkAndMutate(rows.physical(action))),
        table -> Futures.get(table.checkAndMutate(check)));
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
    return checkAndPut(row, family, qualifier, CompareOperator.EQUAL, value, put);
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
    return checkAndPut(row, family, qualifier, newer(operator), value, put);
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
    return checkAndDelete(row, family, qualifier, CompareOperator.EQUAL, value, delete);
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
    return checkAndDelete(row, family, qualifier, newer(operator), value, delete);
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
          },
          table -> succeeds(table, check));
    }
    return rejected(
        (stored, rows) ->
            call.on(
                stored,
                isRow ? rows.physical(row) : row,
                action == null ? action : rows.afterEntries().physical(action)));
  }

  private static CompareOperator newer(CompareFilter.CompareOp operator) {
    return CompareOperator.valueOf(operator.name());
  }

  /** A check and change as an older builder says them. */
  boolean check(CheckBuilders.Then then, @Nullable Row action) throws IOException {
    CheckAndMutate check = then.check(action);
    return check == null
        ? rejected((stored, rows) -> then.rejected(stored, rows, action))
        : once(
            check,
            (stored, rows, one) -> then.send(stored, rows.physical(one)),
            table -> succeeds(table, check));
  }

  private static boolean succeeds(LogicalAsyncTable<?> table, CheckAndMutate check)
      throws IOException {
    return Futures.get(table.checkAndMutate(check)).isSuccess();
  }

  /** Has HBase reject a check and change. */
  private boolean rejected(Call<Boolean> call) throws IOException {
    return route.call(
        generation -> {
          route.checkRowBytes(generation);
          return call.on(generations.open(generation), generation.rows());
        });
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
    return checkAndMutate(row, family, qualifier, newer(operator), value, mutations);
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
    makeAll(actions, emptied(wanted, actions.size()), (rows, some) -> {}, callback);
  }

  private void makeAll(List<? extends Row> actions, Object[] all) throws IOException {
    makeAll(actions, all, (rows, some) -> {}, null);
  }

  /** Makes several actions; those that are refused are made again asynchronously. */
  private <R> void makeAll(
      List<? extends Row> actions,
      Object[] results,
      BiConsumer<RowMapping, List<? extends Row>> check,
      Batch.@Nullable Callback<R> callback)
      throws IOException {
    TimeLimit limit = route.limit();
    Generation used = route.now(limit);
    route.checkRowBytes(used);
    check.accept(used.rows(), actions);
    IndexWrites indexes = used.rows().indexes();
    IndexTableReads entries = IndexTableReads.of(used, rowsOfEntries);
    if (entries != null) {
      System.arraycopy(all(later(limit), entries.gets(actions)), 0, results, 0, results.length);
      return;
    } else if (indexes != null) {
      // None is made if one of them cannot be.
      PlannedWrites planned = PlannedWrites.of(indexes, actions);
      planned.check();
      LogicalAsyncTable<?> table = later(limit).with(planned.planner(actions));
      LaterBatch.run(table, actions, results, places(results), callback);
      return;
    }
    int[] open = refused(used, actions, results, limit, callback);
    if (open.length > 0) {
      LaterBatch.run(later(limit), actions, results, open, callback);
    }
  }

  /**
   * Makes several actions on HBase's own table.
   *
   * @return the places of those that were refused
   */
  private <R> int[] refused(
      Generation used,
      List<? extends Row> actions,
      Object[] results,
      TimeLimit limit,
      Batch.@Nullable Callback<R> callback)
      throws IOException {
    CountedActions counted = CountedActions.of(actions);
    try {
      Table stored = generations.open(used, limit);
      Batch.Callback<R> logical = callback == null ? null : logical(used.rows(), callback);
      LogicalBatch.of(used.rows(), counted.actions())
          .run(
              results,
              physical -> {
                if (logical == null) {
                  stored.batch(physical, results);
                } else {
                  stored.batchCallback(physical, results, logical);
                }
              });
      return new int[0];
    } catch (RetriesExhaustedWithDetailsException e) {
      int[] refused = refused(used, counted, results);
      if (refused.length == 0) {
        throw counted.ofCaller(e);
      }
      return refused;
    } catch (IOException e) {
      if (!route.isRefused(e, used, null)) {
        throw e;
      }
      Arrays.fill(results, e);
      return refused(used, counted, results);
    }
  }

  private int[] refused(Generation used, CountedActions counted, Object[] results)
      throws IOException {
    int[] refused = new int[results.length];
    int count = 0;
    for (int i = 0; i < results.length; i++) {
      if (results[i] instanceof Throwable failure
          && route.isRefused(failure, used, counted.attempts(i))) {
        refused[count++] = i;
      }
    }
    return Arrays.copyOf(refused, count);
  }

  private static <R> Batch.Callback<R> logical(RowMapping rows, Batch.Callback<R> callback) {
    return rows.isPlain()
        ? callback
        : (region, row, result) ->
            callback.update(
                region, rows.layout().logical(row), rows.results().logicalResult(result));
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
    set(table -> table.setRpcTimeout(millis));
  }

  @Override
  public int getReadRpcTimeout() {
    return own.getReadRpcTimeout();
  }

  @Override
  public void setReadRpcTimeout(int millis) {
    set(table -> table.setReadRpcTimeout(millis));
  }

  @Override
  public int getWriteRpcTimeout() {
    return own.getWriteRpcTimeout();
  }

  @Override
  public void setWriteRpcTimeout(int millis) {
    set(table -> table.setWriteRpcTimeout(millis));
  }

  @Override
  public int getOperationTimeout() {
    return own.getOperationTimeout();
  }

  @Override
  public void setOperationTimeout(int millis) {
    set(table -> table.setOperationTimeout(millis));
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
