/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.admin.BuilderProxy;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.index.EntryPut;
import io.evenkey.client.internal.index.IndexWrites;
import io.evenkey.client.internal.request.BuilderSettings;
import io.evenkey.client.internal.request.RequestSettings;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.row.Attempts;
import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.protocol.index.TableIndexes;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Whatever an application can set in a request or on a builder of HBase's is in the requests that
 * are made of it, or refused by an error that names it. The setters are those that the HBase on the
 * class path has: one of a later HBase fails here until it is decided what becomes of it.
 */
class RequestSettersTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final RowMapping ROWS = RowMapping.of(Layout.parse("salt(4) + key:bytes"));
  private static final RowMapping ANYWHERE =
      RowMapping.of(Layout.parse("salt(4, random) + key:bytes"));

  /** Setters that do nothing in HBase 2. */
  private static final Set<String> WITHOUT_EFFECT = Set.of("setClosestRowBefore");

  /** The fields of a get and a scan of which the client sets its own. */
  private static final Set<String> BOUNDS =
      Set.of("row", "startRow", "stopRow", "includeStartRow", "includeStopRow");

  /** The fields of a scan that are about more than one row, or the columns. */
  private static final Set<String> OF_SCANS =
      Set.of(
          "batch",
          "caching",
          "maxResultSize",
          "reversed",
          "asyncPrefetch",
          "small",
          "allowPartialResults",
          "mvccReadPoint",
          "limit",
          "readType",
          "needCursorResult",
          "familyMap",
          "@scan.attributes.metrics.enable");

  /** A path on which a request becomes another one. */
  @FunctionalInterface
  private interface Path<T> {
    /** What is made; null if the request is refused by an error that names the setting. */
    @Nullable Object of(T request) throws Exception;
  }

  private static <T> Stream<DynamicTest> tests(
      Class<T> type, Fresh<T> fresh, Map<String, Path<T>> paths, Set<String> without) {
    return paths.entrySet().stream()
        .flatMap(
            path ->
                Setter.of(type).stream()
                    .map(
                        setter ->
                            DynamicTest.dynamicTest(
                                type.getSimpleName() + "." + setter + " " + path.getKey(),
                                () -> check(setter, fresh, path.getValue(), without))));
  }

  /** A request in which nothing is set. */
  @FunctionalInterface
  private interface Fresh<T> {
    T make() throws Exception;
  }

  private static <T> void check(Setter setter, Fresh<T> fresh, Path<T> path, Set<String> without)
      throws Exception {
    T request;
    try {
      request = setter.on(fresh.make());
    } catch (UnsupportedOperationException refusedByHBase) {
      return;
    }
    Map<String, String> asked = FieldValues.of(request);
    if (!WITHOUT_EFFECT.contains(setter.name())) {
      assertThat(asked).as("sets something").isNotEqualTo(FieldValues.of(fresh.make()));
    }
    Object made = path.of(request);
    if (made == null) {
      return;
    }
    Map<String, String> carried = FieldValues.of(made);
    assertThat(less(carried, asked.keySet(), without))
        .isEqualTo(less(asked, asked.keySet(), without));
  }

  private static Map<String, String> less(
      Map<String, String> values, Set<String> of, Set<String> without) {
    return values.entrySet().stream()
        .filter(value -> of.contains(value.getKey()) && !without.contains(value.getKey()))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static Set<String> and(Set<String> some, String... others) {
    Set<String> both = new TreeSet<>(some);
    both.addAll(Arrays.asList(others));
    return both;
  }

  @TestFactory
  Stream<DynamicTest> ofGets() {
    return tests(
        Get.class,
        () -> new Get(Setter.ROW),
        Map.of(
            "on a spread row",
            ROWS::physical,
            "in all buckets",
            get -> physicalEverywhere(get),
            "as a scan of a gather",
            get -> RequestSettings.get(new Scan(get), get.getRow()).setFilter(get.getFilter())),
        // A gather asks for no existence; the columns of a get from a scan are added to it.
        and(BOUNDS, "checkExistenceOnly", "familyMap"));
  }

  private static @Nullable Get physicalEverywhere(Get get) throws IOException {
    try {
      return ANYWHERE.physicalEverywhere(get).get(0);
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).containsAnyOf("limit or offset of columns", "query metrics");
      return null;
    }
  }

  @Test
  void aGetOfASpreadRowKeepsItsColumnsAndWhetherItAsksForExistenceOnly() throws IOException {
    Get get = new Get(Setter.ROW).addFamily(Setter.FAMILY).setCheckExistenceOnly(true);
    assertThat(ROWS.physical(get).getFamilyMap()).isEqualTo(get.getFamilyMap());
    assertThat(ROWS.physical(get).isCheckExistenceOnly()).isTrue();
  }

  /** Rows that region servers gather are all read as the first of them. */
  @TestFactory
  Stream<DynamicTest> ofGetsThatDiffer() {
    return Setter.of(Get.class).stream()
        .filter(setter -> !WITHOUT_EFFECT.contains(setter.name()))
        .map(
            setter ->
                DynamicTest.dynamicTest(
                    setter.toString(),
                    () -> {
                      Get one = setter.on(new Get(Setter.ROW));
                      Get like = setter.on(new Get(Setter.FAMILY));
                      assertThat(RequestSettings.areAlike(List.of(one, like))).isTrue();
                      Get other = new Get(Setter.ROW);
                      assertThat(RequestSettings.areAlike(List.of(one, other))).isFalse();
                    }));
  }

  @TestFactory
  Stream<DynamicTest> ofScans() {
    return tests(
        Scan.class,
        Scan::new,
        Map.of("on each range", scan -> range(scan), "by HBase's copies", scan -> new Scan(scan)),
        // Where a scan does not say how large an answer may be, the client's budget does.
        and(BOUNDS, "maxResultSize"));
  }

  private static Scan range(Scan scan) throws IOException {
    return PhysicalScans.of(TABLE, ROWS, KeyRange.all(), scan, 1 << 20).ranges().all().get(0);
  }

  @Test
  void aScanOfARangeHasTheSizeOfAnswersThatIsAskedFor() throws IOException {
    assertThat(range(new Scan().setMaxResultSize(77)).getMaxResultSize()).isEqualTo(77);
    assertThat(new Scan(new Scan().setMaxResultSize(77)).getMaxResultSize()).isEqualTo(77);
  }

  @TestFactory
  Stream<DynamicTest> ofScansOfTheTableOfAnIndex() {
    return Stream.concat(
        tests(
            Scan.class,
            Scan::new,
            Map.of("for entries", scan -> scannedEntries(scan)),
            and(BOUNDS, "familyMap", "limit", "allowPartialResults")),
        tests(
            Scan.class,
            Scan::new,
            Map.of("for rows", scan -> rowOfEntry(scan)),
            and(OF_SCANS, BOUNDS.toArray(String[]::new))));
  }

  @TestFactory
  Stream<DynamicTest> ofGetsFromTheTableOfAnIndex() {
    return tests(
        Get.class,
        () -> new Get(Setter.ROW),
        Map.of("for rows", get -> rowOfEntry(get)),
        and(BOUNDS, "familyMap", "checkExistenceOnly"));
  }

  private static @Nullable Scan scannedEntries(Scan scan) throws IOException {
    Scan accepted = accepted(reads -> reads.scanner(scan));
    return accepted == null ? null : RequestSettings.rows(accepted);
  }

  private static @Nullable Get rowOfEntry(Scan scan) throws IOException {
    Scan accepted = accepted(reads -> reads.scanner(scan));
    return accepted == null ? null : RequestSettings.get(accepted, Setter.ROW);
  }

  private static @Nullable Get rowOfEntry(Get get) throws IOException {
    Scan accepted = accepted(reads -> Futures.get(reads.getLater(get)));
    return accepted == null ? null : RequestSettings.get(accepted, Setter.ROW);
  }

  @FunctionalInterface
  private interface Read {
    Object of(IndexTableReads reads) throws IOException;
  }

  /** The scan by which rows of entries are read; null if the read is refused. */
  private static @Nullable Scan accepted(Read read) throws IOException {
    Accepting rows = new Accepting();
    Generation index =
        new Generation(TABLE, TABLE, RowMapping.NONE, Generation.UNKNOWN, null, false, TABLE);
    try {
      read.of(IndexTableReads.of(index, rows));
      return rows.scan;
    } catch (IndexRefusedException e) {
      assertThat(e).hasMessageContaining("option=");
      return null;
    }
  }

  /** Reads no row of any entry. */
  private static final class Accepting implements RowsOfEntries {
    private @Nullable Scan scan;

    @Override
    public ResultScanner open(Generation entries, KeyRange keys, Scan asked) {
      scan = asked;
      return new Empty();
    }

    @Override
    public CompletableFuture<ResultScanner> opening(Generation entries, KeyRange keys, Scan asked) {
      return CompletableFuture.completedFuture(open(entries, keys, asked));
    }

    @Override
    public CompletableFuture<Flow.Publisher<Result>> publisher(
        Generation entries, KeyRange keys, Scan asked) {
      scan = asked;
      return CompletableFuture.completedFuture(
          new SubmissionPublisher<Result>() {
            @Override
            public void subscribe(Flow.Subscriber<? super Result> observer) {
              super.subscribe(observer);
              close();
            }
          });
    }
  }

  private static final class Empty implements ResultScanner {
    @Override
    public @Nullable Result next() {
      return null;
    }

    @Override
    public void close() {}

    @Override
    public boolean renewLease() {
      return false;
    }

    @Override
    public @Nullable ScanMetrics getScanMetrics() {
      return null;
    }
  }

  private static final Set<String> OF_ROW = Set.of("row", "familyMap", "attempts");

  @TestFactory
  Stream<DynamicTest> ofMutations() {
    return Stream.of(
            ofMutations(Put.class, () -> new Put(Setter.ROW)),
            ofMutations(Delete.class, () -> new Delete(Setter.ROW)),
            ofMutations(Append.class, () -> new Append(Setter.ROW)),
            ofMutations(Increment.class, () -> new Increment(Setter.ROW)))
        .flatMap(tests -> tests);
  }

  private static <M extends Mutation & Row> Stream<DynamicTest> ofMutations(
      Class<M> type, Fresh<M> fresh) {
    return tests(
        type,
        fresh,
        Map.of(
            "on a spread row",
            write -> ROWS.physical((Row) write),
            "counted",
            write -> Attempts.of(write).action(),
            "given back by a buffer",
            write -> ROWS.logical(ROWS.physical((Row) write)),
            "in a check",
            write ->
                ROWS.physical((Row) check(write)) instanceof CheckAndMutate check
                    ? check.getAction()
                    : null),
        OF_ROW);
  }

  private static CheckAndMutate check(Mutation write) {
    CheckAndMutate check =
        CheckAndMutate.newBuilder(Setter.ROW)
            .ifNotExists(Setter.FAMILY, Setter.FAMILY)
            .build(new Delete(Setter.ROW));
    return RequestSettings.check(check, Setter.ROW, null, (Row) write);
  }

  /** An index of mutable rows, of which a put leaves a column as it is. */
  private static final TableIndex INDEX =
      TableIndex.parse(
          "i mutable public as \"salt(2) + a:string + key:bytes\" from a=d:a covering d:b");

  private static Put part() {
    return new Put(Setter.ROW).addColumn(Setter.FAMILY, Bytes.toBytes("a"), Bytes.toBytes("value"));
  }

  @TestFactory
  Stream<DynamicTest> ofPutsOfIndexedRows() {
    IndexWrites indexes = IndexWrites.of(TABLE, ROWS.layout(), TableIndexes.NONE.with(INDEX), true);
    return Stream.of(
            tests(
                Put.class,
                RequestSettersTest::part,
                Map.of(
                    "checked by servers",
                    put -> allowed(() -> indexes.write(put, Result.EMPTY_RESULT).action())),
                OF_ROW),
            tests(
                Put.class,
                RequestSettersTest::part,
                Map.of("of the entry", put -> allowed(() -> entry(indexes, put))),
                // WrittenIndexTest has those.
                and(OF_ROW, "durability", "ts", "@_ttl")),
            tests(
                Put.class,
                RequestSettersTest::part,
                Map.of("of the row that is read", indexes::read),
                // What is about the cells that are written.
                and(
                    OF_ROW,
                    "durability",
                    "ts",
                    "@_ttl",
                    "@acl",
                    "@VISIBILITY",
                    "@_cs.id",
                    "@_rr_")))
        .flatMap(tests -> tests);
  }

  private static @Nullable Put entry(IndexWrites indexes, Put put) throws IOException {
    List<EntryPut> entries = indexes.write(put, Result.EMPTY_RESULT).entries();
    return entries.isEmpty() ? null : entries.get(0).put();
  }

  private static @Nullable Object allowed(Callable<?> made) throws Exception {
    try {
      return made.call();
    } catch (IndexRefusedException e) {
      assertThat(e).hasMessageMatching("(?s).*(time to live|several values|several timestamps).*");
      return null;
    }
  }

  /** In HBase since 2.6.4. */
  @Test
  void resultsKeepTheMetricsOfTheirQueries() throws ReflectiveOperationException {
    Class<?> type;
    try {
      type = Class.forName("org.apache.hadoop.hbase.client.QueryMetrics");
    } catch (ClassNotFoundException e) {
      return;
    }
    Object metrics = type.getConstructor(long.class).newInstance(7L);
    Cell cell = new KeyValue(ROWS.physical(Setter.ROW), Setter.FAMILY, null, Setter.FAMILY);
    Result read = Result.create(List.of(cell));
    Result.class.getMethod("setMetrics", type).invoke(read, metrics);
    Result logical = ROWS.results().logical(read);
    assertThat(logical.getRow()).isEqualTo(Setter.ROW);
    assertThat(Result.class.getMethod("getMetrics").invoke(logical)).isSameAs(metrics);
    CheckAndMutateResult check = new CheckAndMutateResult(true, Result.create(List.of(cell)));
    CheckAndMutateResult.class.getMethod("setMetrics", type).invoke(check, metrics);
    assertThat(
            CheckAndMutateResult.class
                .getMethod("getMetrics")
                .invoke(ROWS.results().logical(check)))
        .isSameAs(metrics);
  }

  @TestFactory
  Stream<DynamicTest> ofChecks() {
    return Setter.of(CheckAndMutate.Builder.class).stream()
        .map(
            setter ->
                DynamicTest.dynamicTest(
                    setter.toString(),
                    () -> {
                      CheckAndMutate.Builder builder = CheckAndMutate.newBuilder(Setter.ROW);
                      if (!setter.name().startsWith("if")) {
                        builder.ifNotExists(Setter.FAMILY, Setter.FAMILY);
                      }
                      CheckAndMutate check = setter.on(builder).build(new Delete(Setter.ROW));
                      assertThat(less(FieldValues.of(ROWS.physical(check)), all(check), OF_CHECK))
                          .isEqualTo(less(FieldValues.of(check), all(check), OF_CHECK));
                    }));
  }

  private static final Set<String> OF_CHECK = Set.of("row", "action");

  private static Set<String> all(Object request) throws IllegalAccessException {
    return FieldValues.of(request).keySet();
  }

  @TestFactory
  Stream<DynamicTest> ofBufferedMutators() {
    return tests(
        BufferedMutatorParams.class,
        () -> new BufferedMutatorParams(TABLE),
        Map.of("for a generation", params -> MutatorParams.of(TABLE, params)),
        Set.of());
  }

  /** The blocking table says what was set; {@link CallSettings#of} reads that. */
  @Test
  void aBlockingTableIsBuiltOfTimeoutsAndRequestAttributes() {
    assertThat(Setter.of(TableBuilder.class).stream().map(Setter::name))
        .containsExactlyInAnyOrder(
            "setOperationTimeout",
            "setRpcTimeout",
            "setReadRpcTimeout",
            "setWriteRpcTimeout",
            "setRequestAttribute");
  }

  @TestFactory
  Stream<DynamicTest> ofAsynchronousTables() {
    return Setter.of(AsyncTableBuilder.class).stream()
        .map(
            setter ->
                DynamicTest.dynamicTest(
                    setter.toString(),
                    () -> {
                      List<String> own = new ArrayList<>();
                      List<String> other = new ArrayList<>();
                      List<BuilderSettings> built = new ArrayList<>();
                      AsyncTableBuilder<?> proxy =
                          BuilderProxy.of(
                              AsyncTableBuilder.class,
                              builder(own),
                              (AsyncTable<?> table, BuilderSettings settings) -> {
                                built.add(settings);
                                return table;
                              });
                      setter.on(proxy);
                      proxy.build();
                      built.get(0).to(builder(other));
                      own.remove("build[]");
                      assertThat(other).isEqualTo(own).hasSize(1);
                    }));
  }

  /** A builder that keeps the calls that are made of it. */
  private static AsyncTableBuilder<?> builder(List<String> calls) {
    return (AsyncTableBuilder<?>)
        Proxy.newProxyInstance(
            AsyncTableBuilder.class.getClassLoader(),
            new Class<?>[] {AsyncTableBuilder.class},
            (proxy, method, arguments) -> {
              calls.add(
                  method.getName()
                      + Arrays.deepToString(arguments == null ? new Object[0] : arguments));
              return method.getName().equals("build") ? null : proxy;
            });
  }
}
