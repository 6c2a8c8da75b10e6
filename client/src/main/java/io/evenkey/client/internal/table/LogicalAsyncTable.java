/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import com.google.protobuf.RpcChannel;
import io.evenkey.client.internal.coprocessor.CheckedChannel;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.gather.GatherServers;
import io.evenkey.client.internal.gather.GatheredGets;
import io.evenkey.client.internal.index.IndexWrites;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.Resumption;
import io.evenkey.client.internal.route.Route;
import io.evenkey.client.internal.route.RoutedScanner;
import io.evenkey.client.internal.route.TimeLimit;
import io.evenkey.client.internal.row.Attempts;
import io.evenkey.client.internal.row.RowMapping;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
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
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.trace.HBaseSemanticAttributes.Operation;
import org.apache.hadoop.hbase.trace.TraceUtil;
import org.jspecify.annotations.Nullable;

/**
 * A table behind HBase's asynchronous interface: the row of every action and every result is the
 * logical key, whatever the layout and the generation. What cannot be done on a spread table is
 * rejected with an error that names it. If the table is not known yet, calls wait for it without
 * holding a thread. Thread-safe.
 *
 * @param <C> the type of the consumers of its scans
 */
public final class LogicalAsyncTable<C extends ScanResultConsumerBase> implements AsyncTable<C> {
  private final AsyncTable<C> own;
  private final Route route;
  private final Route scanRoute;
  private final Function<TableName, AsyncTableBuilder<C>> others;
  private final AsyncScans<C> scans;
  private final AsyncEntryWriter entries;
  private final @Nullable RowsOfEntries rowsOfEntries;
  private final Map<TableName, AsyncTable<C>> opened = new ConcurrentHashMap<>();

  /**
   * A table.
   *
   * @param own HBase's own, as the application has opened it
   * @param others builds HBase's own tables of generations, with the same settings
   * @param indexes opens the tables of indexes, by logical keys
   * @param rowsOfEntries the rows that are read if the table is that of an index; null to read
   *     entries as they are stored
   */
  public LogicalAsyncTable(
      AsyncTable<C> own,
      Route route,
      Function<TableName, AsyncTableBuilder<C>> others,
      AsyncEntryTables indexes,
      @Nullable RowsOfEntries rowsOfEntries,
      AsyncScans<C> scans) {
    this.own = own;
    this.route = route.within(() -> own.getOperationTimeout(TimeUnit.MILLISECONDS));
    this.scanRoute = route.within(() -> own.getScanTimeout(TimeUnit.MILLISECONDS));
    this.others = others;
    this.scans = scans;
    this.entries = new AsyncEntryWriter(indexes);
    this.rowsOfEntries = rowsOfEntries;
  }

  private LogicalAsyncTable(LogicalAsyncTable<C> like, Route route, AsyncEntryWriter entries) {
    this.own = like.own;
    this.route = route;
    this.scanRoute = like.scanRoute;
    this.others = like.others;
    this.scans = like.scans;
    this.entries = entries;
    this.rowsOfEntries = like.rowsOfEntries;
  }

  /**
   * A table that is opened for another one.
   *
   * @param plain HBase's own connection, to which rows are what is stored
   * @param indexes opens the tables of indexes, by logical keys
   * @param rowsOfEntries the rows that are read if the table is that of an index; null to read
   *     entries as they are stored
   * @param budgetBytes about how many bytes all ranges of a scan together may hold ahead of its
   *     observer
   * @param settings of the other table
   */
  public static LogicalAsyncTable<AdvancedScanResultConsumer> of(
      AsyncConnection plain,
      Route route,
      AsyncEntryTables indexes,
      @Nullable RowsOfEntries rowsOfEntries,
      long budgetBytes,
      CallSettings settings) {
    Function<TableName, AsyncTableBuilder<AdvancedScanResultConsumer>> tables =
        name -> {
          AsyncTableBuilder<AdvancedScanResultConsumer> builder = plain.getTableBuilder(name);
          settings.to(builder);
          return builder;
        };
    return new LogicalAsyncTable<>(
        tables.apply(route.table()).build(),
        route,
        tables,
        indexes,
        rowsOfEntries,
        AsyncScans.inHBaseThreads(plain, budgetBytes, settings));
  }

  /** This table for a buffer, which sends much when it repeats what was refused. */
  LogicalAsyncTable<C> ofBuffer() {
    return new LogicalAsyncTable<>(this, route.ofBuffers(), entries);
  }

  /** This table for actions some of whose entries are planned already. */
  LogicalAsyncTable<C> with(PlannedWrites.Planner planned) {
    return new LogicalAsyncTable<>(this, route, entries.with(planned));
  }

  Route route() {
    return route;
  }

  private AsyncTable<C> stored(Generation generation) {
    TableName name = generation.physical();
    return name.equals(own.getName())
        ? own
        : opened.computeIfAbsent(name, other -> others.apply(other).build());
  }

  /** HBase's table of a generation, for the next request of an operation. */
  private AsyncTable<C> stored(Generation generation, TimeLimit limit) throws IOException {
    return limit.isWhole()
        ? stored(generation)
        : others
            .apply(generation.physical())
            .setOperationTimeout(limit.nextMs(), TimeUnit.MILLISECONDS)
            .build();
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
  public CompletableFuture<TableDescriptor> getDescriptor() {
    return route.later(
        generation ->
            Futures.map(
                stored(generation).getDescriptor(),
                descriptor ->
                    generation.physical().equals(getName())
                        ? descriptor
                        : TableDescriptorBuilder.copy(getName(), descriptor)));
  }

  @Override
  public AsyncTableRegionLocator getRegionLocator() {
    return new LogicalAsyncRegionLocator(
        route, generation -> stored(generation).getRegionLocator());
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
  public long getScanTimeout(TimeUnit unit) {
    return own.getScanTimeout(unit);
  }

  @Override
  public Map<String, byte[]> getRequestAttributes() {
    return own.getRequestAttributes();
  }

  @Override
  public CompletableFuture<Result> get(Get get) {
    return route.laterOnce(
        get, null, (generation, limit) -> get(generation, get, limit), LogicalAsyncTable::logical);
  }

  private CompletableFuture<Result> get(Generation generation, Get get, TimeLimit limit)
      throws Exception {
    route.checkRowBytes(generation);
    IndexTableReads index = IndexTableReads.of(generation, rowsOfEntries);
    if (index != null) {
      return route.bounded(index.getLater(get));
    }
    RowMapping rows = generation.rows();
    if (rows.isRandom()) {
      List<Get> everywhere = rows.physicalEverywhere(get);
      AsyncTable<C> stored = stored(generation, limit);
      return TraceUtil.tracedFuture(
          () ->
              Futures.map(
                  stored.getAll(everywhere), found -> RandomSaltRead.together(rows, get, found)),
          () -> scans.spans().start(getName(), Operation.GET));
    }
    return stored(generation, limit).get(rows.physical(get));
  }

  @Override
  public List<CompletableFuture<Result>> get(List<Get> gets) {
    return each(
        gets,
        (generation, some, limit) -> {
          if (generation.rows().isRandom()
              || IndexTableReads.of(generation, rowsOfEntries) != null) {
            List<CompletableFuture<Result>> found = new ArrayList<>(some.size());
            for (Get get : some) {
              found.add(get(generation, get, limit));
            }
            return found;
          }
          return stored(generation, limit).get(generation.rows().physical(some));
        });
  }

  /** Several actions of one kind on one generation. */
  @FunctionalInterface
  private interface Each<A, R> {
    List<CompletableFuture<R>> begin(Generation generation, List<A> actions, TimeLimit limit)
        throws Exception;
  }

  private <A extends Row, R> List<CompletableFuture<R>> each(List<A> actions, Each<A, R> call) {
    return each(actions, call, LogicalAsyncTable::logical);
  }

  private <A extends Row, R> List<CompletableFuture<R>> each(
      List<A> actions, Each<A, R> call, Route.Answered<R> answered) {
    check(actions);
    CompletableFuture<Generation> found = route.find();
    if (!found.isDone()) {
      return Futures.each(
          actions.size(), Futures.map(found, known -> each(known, actions, call, answered)));
    }
    return found.isCompletedExceptionally()
        ? atOnce(actions, call, answered)
        : each(found.join(), actions, call, answered);
  }

  private <A extends Row, R> List<CompletableFuture<R>> each(
      Generation known, List<A> actions, Each<A, R> call, Route.Answered<R> answered) {
    IndexWrites indexes = known.rows().indexes();
    if (indexes == null || !indexes.hasMutable()) {
      return atOnce(actions, call, answered);
    }
    LogicalAsyncTable<C> parts = new LogicalAsyncTable<>(this, route.ofOneOperation(), entries);
    return AsyncWaves.run(actions, wave -> parts.atOnce(wave, call, answered));
  }

  @SuppressWarnings("unchecked") // copies are of the same type
  private <A extends Row, R> List<CompletableFuture<R>> atOnce(
      List<A> actions, Each<A, R> call, Route.Answered<R> answered) {
    return route.laterEach(
        actions,
        (generation, some, limit) -> {
          route.checkRowBytes(generation);
          return entries.before(
              generation,
              limit,
              (List<A>) some,
              (of, gets) -> read(of, gets, limit),
              (ready, made) -> call.begin(ready, made, limit));
        },
        answered);
  }

  // Under the key of its action; an answer that has it already is left as it is.
  private static <R> R logical(Generation used, Row action, R stored) {
    return used.rows().results().logicalResult(stored, action);
  }

  /**
   * Reads the indexed columns that puts leave as they are: by one request to each region server,
   * where these can gather; else, and for rows that are more than an answer may have, by gets.
   */
  private List<CompletableFuture<Result>> read(
      Generation generation, List<Get> gets, TimeLimit limit) throws IOException {
    RowMapping rows = generation.rows();
    List<Get> physical = rows.physical(gets);
    AsyncTable<C> stored = stored(generation, limit);
    if (physical.size() == 1) {
      return List.of(stored.get(physical.get(0)));
    }
    GatherServers servers = rows.isRandom() ? null : rows.servers(false);
    if (servers == null || !GatheredGets.arePossible(getConfiguration(), gets, servers)) {
      return stored.get(physical);
    }
    CompletableFuture<@Nullable Result[]> gathered =
        GatheredGets.tried(
            scans.like(stored).table(), physical, rows.layout().spread().width(), servers);
    return Futures.each(
        physical.size(), Futures.map(gathered, found -> completed(stored, physical, found)));
  }

  private static List<CompletableFuture<Result>> completed(
      AsyncTable<?> stored, List<Get> gets, @Nullable Result[] found) {
    List<Get> open = new ArrayList<>();
    for (int i = 0; i < found.length; i++) {
      if (found[i] == null) {
        open.add(gets.get(i));
      }
    }
    Iterator<CompletableFuture<Result>> rest =
        open.isEmpty() ? Collections.emptyIterator() : stored.get(open).iterator();
    List<CompletableFuture<Result>> rows = new ArrayList<>(found.length);
    for (Result row : found) {
      rows.add(row == null ? rest.next() : CompletableFuture.completedFuture(row));
    }
    return rows;
  }

  // What HBase throws at once is thrown at once, though the table is not known yet, or entries go
  // before the action.
  private void check(List<? extends Row> actions) {
    CompletableFuture<Generation> found = route.find();
    if (!found.isDone()
        || found.isCompletedExceptionally()
        || found.join().rows().indexes() != null) {
      int most = PutCheck.mostBytes(getConfiguration());
      actions.forEach(action -> PutCheck.check(action, most));
    }
  }

  /** One action on one generation. */
  @FunctionalInterface
  private interface One<A, R> {
    CompletableFuture<R> begin(AsyncTable<?> stored, RowMapping rows, A action) throws Exception;
  }

  @SuppressWarnings("unchecked") // a copy is of the same type
  private <A extends Row, R> CompletableFuture<R> one(A action, One<A, R> call) {
    check(List.of(action));
    Attempts.Counted counted;
    try {
      counted = Attempts.of(action);
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
    return route.laterOnce(
        action,
        counted.attempts(),
        (generation, limit) -> {
          route.checkRowBytes(generation);
          return generation.rows().indexes() == null
              ? call.begin(stored(generation, limit), generation.rows(), (A) counted.action())
              : entries.before(
                  generation,
                  limit,
                  counted.action(),
                  (of, gets) -> read(of, gets, limit),
                  (ready, made) -> call.begin(stored(ready, limit), ready.rows(), (A) made));
        },
        LogicalAsyncTable::logical);
  }

  @Override
  public CompletableFuture<Void> put(Put put) {
    return one(
        put,
        (stored, rows, action) -> {
          PutCheck.checkStored(action, rows, PutCheck.mostBytes(getConfiguration()));
          return stored.put(rows.physical(action));
        });
  }

  @Override
  public List<CompletableFuture<Void>> put(List<Put> puts) {
    int most = PutCheck.mostBytes(getConfiguration());
    return each(
        puts,
        (generation, some, limit) -> {
          some.forEach(put -> PutCheck.checkStored(put, generation.rows(), most));
          return stored(generation, limit).put(generation.rows().physical(some));
        });
  }

  @Override
  public CompletableFuture<Void> delete(Delete delete) {
    return one(delete, (stored, rows, action) -> stored.delete(rows.physical(action)));
  }

  @Override
  public List<CompletableFuture<Void>> delete(List<Delete> deletes) {
    return each(
        deletes,
        (generation, some, limit) ->
            stored(generation, limit).delete(generation.rows().physical(some)));
  }

  @Override
  public CompletableFuture<Result> append(Append append) {
    return one(append, (stored, rows, action) -> stored.append(rows.physical(action)));
  }

  @Override
  public CompletableFuture<Result> increment(Increment increment) {
    return one(increment, (stored, rows, action) -> stored.increment(rows.physical(action)));
  }

  @Override
  public CompletableFuture<Result> mutateRow(RowMutations mutations) {
    return one(mutations, (stored, rows, action) -> stored.mutateRow(rows.physical(action)));
  }

  @Override
  public CompletableFuture<CheckAndMutateResult> checkAndMutate(CheckAndMutate check) {
    return one(check, (stored, rows, action) -> stored.checkAndMutate(rows.physical(action)));
  }

  @Override
  public List<CompletableFuture<CheckAndMutateResult>> checkAndMutate(List<CheckAndMutate> checks) {
    return each(
        checks,
        (generation, some, limit) ->
            stored(generation, limit).checkAndMutate(generation.rows().physical(some)));
  }

  /** A check and change as an older builder says them. */
  CompletableFuture<Boolean> check(AsyncCheckBuilders.Then then, @Nullable Row action) {
    CheckAndMutate check = then.check(action);
    if (check != null) {
      return Futures.map(checkAndMutate(check), CheckAndMutateResult::isSuccess);
    }
    if (action != null) {
      check(List.of(action));
    }
    return route.later(
        generation -> {
          route.checkRowBytes(generation);
          return then.rejected(stored(generation), generation.rows(), action);
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
    return batch(actions, null);
  }

  /** Is told each result of a batch, before later actions of its row are made. */
  @FunctionalInterface
  interface Told<T> {
    CompletableFuture<?> of(byte[] row, T result);
  }

  @SuppressWarnings("unchecked") // nothing is put into the list
  <T> List<CompletableFuture<T>> batch(List<? extends Row> actions, @Nullable Told<T> told) {
    return each(
        (List<Row>) actions,
        (generation, some, limit) -> {
          IndexTableReads index = IndexTableReads.of(generation, rowsOfEntries);
          if (index != null) {
            return index.gets(some).stream()
                .map(get -> (CompletableFuture<T>) route.bounded(index.getLater(get)))
                .toList();
          }
          List<CompletableFuture<T>> answers =
              stored(generation, limit).batch(generation.rows().physical(some));
          return told == null ? answers : told(answers, generation, some, told);
        });
  }

  private static <T> List<CompletableFuture<T>> told(
      List<CompletableFuture<T>> answers,
      Generation used,
      List<? extends Row> actions,
      Told<T> told) {
    List<CompletableFuture<T>> all = new ArrayList<>(answers.size());
    for (int i = 0; i < answers.size(); i++) {
      Row action = actions.get(i);
      all.add(
          Futures.chain(
              answers.get(i),
              answer ->
                  Futures.map(
                      told.of(action.getRow(), logical(used, action, answer)), nothing -> answer)));
    }
    return all;
  }

  @Override
  public void scan(Scan scan, C consumer) {
    new ResumedScan<C>(
            scanRoute,
            Resumption.isPossible(scan),
            scan.getLimit(),
            (generation, after, rows, observer) -> {
              RowBytes.check(route, generation, scan, getConfiguration());
              start(generation, Resumption.rest(scan, after, rows), observer);
            })
        .begin(consumer);
  }

  private void start(Generation generation, Scan scan, C consumer) throws Exception {
    IndexTableReads index = IndexTableReads.of(generation, rowsOfEntries);
    if (index != null) {
      scans.start(index, scan, consumer);
    } else if (generation.rows().isPlain()) {
      stored(generation).scan(plain(generation, scan), consumer);
    } else {
      scans.start(stored(generation), physical(generation, scan), consumer);
    }
  }

  private PhysicalScans physical(Generation generation, Scan scan) throws IOException {
    return PhysicalScans.of(generation, scan, scans.budgetBytes());
  }

  // The split of a job that began when the table was spread would be an empty range.
  private static Scan plain(Generation generation, Scan scan) throws IOException {
    JobSplit.of(scan.getStopRow(), generation);
    return generation.rows().stored(scan);
  }

  @Override
  public ResultScanner getScanner(Scan scan) {
    return new DeferredScanner(
        scanRoute.later(
            generation -> {
              IndexTableReads index = IndexTableReads.of(generation, rowsOfEntries);
              return index == null
                  ? CompletableFuture.completedFuture(
                      RoutedScanner.begun(
                          scanRoute,
                          Resumption.isPossible(scan),
                          scan.getLimit(),
                          (now, after, rows, limit) -> {
                            RowBytes.check(route, now, scan, getConfiguration());
                            return scanner(now, Resumption.rest(scan, after, rows), limit);
                          },
                          generation))
                  : index.scannerLater(scan);
            }));
  }

  private ResultScanner scanner(Generation generation, Scan scan, TimeLimit limit)
      throws IOException {
    return generation.rows().isPlain() && !limit.isBounded()
        ? stored(generation).getScanner(plain(generation, scan))
        : physical(generation, scan).gather(scans.like(stored(generation)), limit);
  }

  @Override
  public CompletableFuture<List<Result>> scanAll(Scan scan) {
    CollectedRows all = new CollectedRows();
    new ResumedScan<AdvancedScanResultConsumer>(
            scanRoute,
            Resumption.isPossible(scan),
            scan.getLimit(),
            (generation, after, rows, observer) -> {
              RowBytes.check(route, generation, scan, getConfiguration());
              collect(generation, Resumption.rest(scan, after, rows), observer);
            },
            all::forget)
        .begin(all);
    return scans.complete(all.rows());
  }

  private void collect(Generation generation, Scan scan, AdvancedScanResultConsumer all)
      throws IOException {
    IndexTableReads index = IndexTableReads.of(generation, rowsOfEntries);
    if (index != null) {
      ConsumedRows.begin(index.publisher(scan), all);
    } else if (generation.rows().isPlain()) {
      scans.own(stored(generation)).scan(plain(generation, scan), all);
    } else {
      physical(generation, scan).start(scans.like(stored(generation)), all);
    }
  }

  @Override
  public <S, R> CompletableFuture<R> coprocessorService(
      Function<RpcChannel, S> stubMaker, ServiceCaller<S, R> callable, byte[] row) {
    Objects.requireNonNull(stubMaker, "stubMaker is null");
    return route.later(
        generation -> {
          RowMapping rows = generation.rows();
          route.checkRowBytes(generation);
          checkCoprocessor(generation);
          return stored(generation)
              .coprocessorService(
                  checked(rows, stubMaker), callable, rows.isPlain() ? row : rows.physical(row));
        });
  }

  @Override
  public <S, R> CoprocessorServiceBuilder<S, R> coprocessorService(
      Function<RpcChannel, S> stubMaker,
      ServiceCaller<S, R> callable,
      CoprocessorCallback<R> callback) {
    Objects.requireNonNull(stubMaker, "stubMaker is null");
    Objects.requireNonNull(callable, "callable is null");
    return new WholeTableCall<>(
        generation ->
            stored(generation)
                .coprocessorService(checked(generation.rows(), stubMaker), callable, callback),
        callback);
  }

  @Override
  public <S, R> CoprocessorServiceBuilder<S, R> coprocessorService(
      Function<RpcChannel, S> stubMaker,
      ServiceCaller<S, R> callable,
      PartialResultCoprocessorCallback<S, R> callback) {
    Objects.requireNonNull(stubMaker, "stubMaker is null");
    Objects.requireNonNull(callable, "callable is null");
    return new WholeTableCall<>(
        generation ->
            stored(generation)
                .coprocessorService(checked(generation.rows(), stubMaker), callable, callback),
        callback);
  }

  /**
   * Checks a coprocessor call.
   *
   * @param whole whether it is on all regions, and so no range of keys
   */
  void checkCoprocessor(Generation generation, boolean whole) throws IOException {
    checkCoprocessor(generation);
    if (!whole) {
      route.checkRowBytes(generation);
      if (!generation.rows().isPlain()) {
        throw Refused.coprocessorOnRange(getName(), generation.rows().layout());
      }
    }
  }

  private void checkCoprocessor(Generation generation) throws IOException {
    IndexTableReads index = IndexTableReads.of(generation, rowsOfEntries);
    if (index != null) {
      throw index.coprocessor();
    }
  }

  private static <S> Function<RpcChannel, S> checked(
      RowMapping rows, Function<RpcChannel, S> stubMaker) {
    return rows.isPlain() ? stubMaker : CheckedChannel.before(stubMaker);
  }

  /** A coprocessor call on all regions; one on a range of keys is refused. */
  private final class WholeTableCall<S, R> implements CoprocessorServiceBuilder<S, R> {
    private final Function<Generation, CoprocessorServiceBuilder<S, R>> plain;
    private final CoprocessorCallback<R> callback;
    private final List<UnaryOperator<CoprocessorServiceBuilder<S, R>>> bounds = new ArrayList<>();
    private boolean whole = true;

    WholeTableCall(
        Function<Generation, CoprocessorServiceBuilder<S, R>> plain,
        CoprocessorCallback<R> callback) {
      this.plain = plain;
      this.callback = Objects.requireNonNull(callback, "callback is null");
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
          route.later(
              generation -> {
                checkCoprocessor(generation, whole);
                CoprocessorServiceBuilder<S, R> call = plain.apply(generation);
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
