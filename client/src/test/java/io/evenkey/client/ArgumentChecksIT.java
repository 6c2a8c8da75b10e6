/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import static io.evenkey.client.BadArguments.FAMILY;
import static io.evenkey.client.BadArguments.MOST_BYTES;
import static io.evenkey.client.BadArguments.NO_FAMILY;
import static io.evenkey.client.BadArguments.OTHER_ROW;
import static io.evenkey.client.BadArguments.QUALIFIER;
import static io.evenkey.client.BadArguments.ROW;
import static io.evenkey.client.BadArguments.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionConfiguration;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Calls with arguments that HBase rejects, on a plain table through HBase's own connections and
 * through Evenkey's, and on a spread table: the same class of exception is thrown, or completes the
 * future, or the call passes.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
// What HBase still has in its interfaces; what a call returns is compared, whatever it is.
@SuppressWarnings({"deprecation", "FutureReturnValueIgnored"})
class ArgumentChecksIT {
  /** Where a call is made. */
  private record Place(String name, Connection connection, AsyncConnection later, TableName table) {
    BadArguments arguments() {
      return new BadArguments(table);
    }
  }

  /** A region that has just moved can differ once; what differs so often is a difference. */
  private static final int ATTEMPTS = 3;

  /** Calls that differ, and why. */
  private static final List<String> KNOWN =
      List.of(
          // HBase's scanner fails at the first row, after retries: the asynchronous one never does.
          "Table.getScanner 1 [null",
          "AsyncTable.getScanner 1 [null",
          // A row that is too long is in no region of a spread table.
          "AsyncTableRegionLocator.getRegionLocation 3 ",
          "AsyncTableRegionLocator.getRegionLocations 3 ",
          "RegionLocator.getRegionLocation 3 ",
          "RegionLocator.getRegionLocations 3 ",
          // HBase's scanner says that it is closed by a RuntimeException.
          "closed: scan",
          // HBase's assertion, which is off in production.
          "Table.batch 4 ",
          "Table.batchCallback 4 ");

  private final ExecutorService pool = Executors.newCachedThreadPool();
  private final List<Place> places = new ArrayList<>();
  private Configuration plain;
  private Configuration dropIn;

  /** A call, named for the report. */
  private interface Call {
    Object on(Place place) throws Exception;
  }

  @BeforeAll
  void createTables(Connection shared) throws Exception {
    plain = new Configuration(shared.getConfiguration());
    plain.setInt(ConnectionConfiguration.MAX_KEYVALUE_SIZE_KEY, MOST_BYTES);
    plain.setInt("hbase.client.retries.number", 1);
    plain.setInt("hbase.client.pause", 5);
    dropIn = new Configuration(plain);
    dropIn.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    dropIn.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    TableName name = TableName.valueOf("argument_checks_plain");
    TableName spread = TableName.valueOf("argument_checks_spread");
    places.add(open("HBase", plain, name));
    places.add(open("Evenkey plain", dropIn, TableName.valueOf("argument_checks_same")));
    places.add(open("Evenkey spread", dropIn, spread));
    Layout layout = Layout.parse("salt(4) + key:bytes");
    for (Place place : places) {
      TableDescriptor table =
          TableDescriptorBuilder.newBuilder(place.table)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build();
      try (Admin admin = place.connection.getAdmin()) {
        admin.createTable(place.table.equals(spread) ? TableLayout.with(table, layout) : table);
      }
    }
  }

  private static Place open(String name, Configuration configuration, TableName table)
      throws IOException {
    return new Place(
        name,
        ConnectionFactory.createConnection(configuration),
        FutureUtils.get(ConnectionFactory.createAsyncConnection(configuration)),
        table);
  }

  @AfterAll
  void close() throws IOException {
    for (Place place : places) {
      place.connection.close();
      place.later.close();
    }
    pool.shutdownNow();
  }

  private final Map<String, String> differences = new LinkedHashMap<>();

  private void compare(String name, Call call) {
    if (KNOWN.stream().anyMatch(name::startsWith)) {
      return;
    }
    List<String> outcomes = outcomes(call);
    for (int i = 1; i < ATTEMPTS && outcomes.stream().distinct().count() > 1; i++) {
      outcomes = outcomes(call);
    }
    if (outcomes.stream().distinct().count() > 1) {
      differences.put(name, outcomes.toString());
    }
  }

  /** At all places at once: calls that hang at each of them do so together. */
  private List<String> outcomes(Call call) {
    List<Future<String>> outcomes =
        places.stream()
            .map(place -> pool.submit(() -> BadArguments.outcome(() -> call.on(place))))
            .toList();
    return outcomes.stream().map(ArgumentChecksIT::outcome).toList();
  }

  private static String outcome(Future<String> outcome) {
    try {
      return outcome.get(10, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      outcome.cancel(true);
      return "hangs";
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Calls each method of an interface with one bad argument at a time. */
  private <T> void compare(Class<T> type, Opened<T> opened) {
    for (Method method : BadArguments.methods(type)) {
      int calls = places.get(0).arguments().calls(method);
      for (int i = 0; i < calls; i++) {
        int call = i;
        Object[] shown = places.get(0).arguments().arguments(method, call);
        compare(
            type.getSimpleName() + "." + method.getName() + " " + i + " " + text(shown),
            place -> {
              T target = opened.at(place);
              try {
                return method.invoke(target, place.arguments().arguments(method, call));
              } finally {
                if (target instanceof AutoCloseable closed
                    && !(target instanceof Connection)
                    && !(target instanceof AsyncConnection)) {
                  closed.close();
                }
              }
            });
      }
    }
  }

  private static String text(Object[] arguments) {
    String text = Arrays.deepToString(arguments);
    return text.length() > 200 ? text.substring(0, 200) : text;
  }

  /** Opens what is called, for each call. */
  private interface Opened<T> {
    T at(Place place) throws Exception;
  }

  private void assertNoDifference() {
    StringBuilder text = new StringBuilder();
    differences.forEach(
        (name, outcomes) ->
            text.append('\n').append(name).append('\n').append("    ").append(outcomes));
    differences.clear();
    assertThat(text.toString()).isEmpty();
  }

  @Test
  void tables() {
    compare(Table.class, place -> place.connection.getTable(place.table));
    assertNoDifference();
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"}) // of scans with an observer
  void asynchronousTables() {
    compare(AsyncTable.class, place -> place.later.getTable(place.table));
    assertNoDifference();
  }

  @Tag("long")
  @Test
  @SuppressWarnings({"unchecked", "rawtypes"}) // of scans with an observer
  void asynchronousTablesWithAPool() {
    compare(AsyncTable.class, place -> place.later.getTable(place.table, pool));
    assertNoDifference();
  }

  @Test
  void locatorsMutatorsAndConnections() {
    compare(RegionLocator.class, place -> place.connection.getRegionLocator(place.table));
    compare(AsyncTableRegionLocator.class, place -> place.later.getRegionLocator(place.table));
    compare(BufferedMutator.class, place -> place.connection.getBufferedMutator(place.table));
    compare(AsyncBufferedMutator.class, place -> place.later.getBufferedMutator(place.table));
    compare(Connection.class, place -> place.connection);
    compare(AsyncConnection.class, place -> place.later);
    assertNoDifference();
  }

  @Test
  void buildersOfChecks() {
    Map<String, Row> actions = new LinkedHashMap<>();
    actions.put("null", null);
    actions.put("good", put(ROW, FAMILY, 1));
    actions.put("put of another row", put(OTHER_ROW, FAMILY, 1));
    actions.put("empty put", new Put(ROW));
    actions.put("empty put of another row", new Put(OTHER_ROW));
    actions.put("large put", put(ROW, FAMILY, MOST_BYTES + 1));
    actions.put("put into no family", put(ROW, NO_FAMILY, 1));
    actions.put("delete", new Delete(ROW));
    actions.put("delete of another row", new Delete(OTHER_ROW));
    actions.put("delete of no family", new Delete(ROW).addFamily(NO_FAMILY));
    actions.put("mutations", mutations(put(ROW, FAMILY, 1)));
    actions.put("mutations of another row", mutations(put(OTHER_ROW, FAMILY, 1)));
    actions.put("mutations of no family", mutations(put(ROW, NO_FAMILY, 1)));
    actions.put("large mutations", mutations(put(ROW, FAMILY, MOST_BYTES + 1)));
    actions.forEach(
        (name, action) -> {
          compare("then " + name, place -> then(column(table(place), FAMILY), action));
          compare("later then " + name, place -> then(column(later(place), FAMILY), action));
          compare(
              "filter then " + name,
              place -> then(table(place).checkAndMutate(ROW, new KeyOnlyFilter()), action));
          compare(
              "later filter then " + name,
              place -> then(later(place).checkAndMutate(ROW, new KeyOnlyFilter()), action));
        });
    for (byte[] family : new byte[][] {NO_FAMILY, {}}) {
      compare("column of no family", place -> then(column(table(place), family), new Delete(ROW)));
      compare("later of no family", place -> then(column(later(place), family), new Delete(ROW)));
    }
    for (byte[] row : new byte[][] {null, {}}) {
      compare("row", place -> table(place).checkAndMutate(row, FAMILY));
      compare("row later", place -> later(place).checkAndMutate(row, FAMILY));
      compare("row, filter", place -> table(place).checkAndMutate(row, new KeyOnlyFilter()));
      compare("row, filter later", place -> later(place).checkAndMutate(row, new KeyOnlyFilter()));
    }
    compare("family", place -> table(place).checkAndMutate(ROW, (byte[]) null));
    compare("family later", place -> later(place).checkAndMutate(ROW, (byte[]) null));
    compare("filter", place -> table(place).checkAndMutate(ROW, (Filter) null));
    compare("filter later", place -> later(place).checkAndMutate(ROW, (Filter) null));
    compare("qualifier", place -> check(place).qualifier(null));
    compare("value", place -> check(place).ifEquals(null));
    compare("operator", place -> check(place).ifMatches(null, ROW).thenPut(put(ROW, FAMILY, 1)));
    compare("no condition", place -> check(place).thenPut(put(ROW, FAMILY, 1)));
    compare(
        "no condition later",
        place -> later(place).checkAndMutate(ROW, FAMILY).thenPut(put(ROW, FAMILY, 1)));
    assertNoDifference();
  }

  @Test
  void whatFitsOnlyWithoutAPrefixIsRejectedWithAnErrorThatSaysSo() throws IOException {
    Place spread = places.get(2);
    byte[] longest = new byte[HConstants.MAX_ROW_LENGTH];
    Put full = new Put(ROW);
    int other = put(ROW, FAMILY, 0).get(FAMILY, QUALIFIER).get(0).getSerializedSize();
    full.addColumn(FAMILY, QUALIFIER, new byte[MOST_BYTES - other]);
    table(places.get(0)).put(full);
    assertThatThrownBy(() -> table(spread).get(new Get(longest)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("row too long: bytes=32768 prefix=1")
        .hasMessageContaining("the prefix included");
    assertThatThrownBy(() -> table(spread).put(full))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("KeyValue size too large: bytes=2001 prefix=1 limit=2000")
        .hasMessageContaining("prefix of its row included");
    try (BufferedMutator buffer = spread.connection.getBufferedMutator(spread.table)) {
      for (ThrowingCallable put :
          List.<ThrowingCallable>of(
              () -> FutureUtils.get(later(spread).put(full)),
              () -> table(spread).put(List.of(full)),
              () -> FutureUtils.get(later(spread).putAll(List.of(full))),
              () -> buffer.mutate(full))) {
        assertThatThrownBy(put)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("prefix of its row included");
      }
    }
  }

  private static Table.CheckAndMutateBuilder check(Place place) throws IOException {
    return table(place).checkAndMutate(ROW, FAMILY);
  }

  private static Table table(Place place) throws IOException {
    return place.connection.getTable(place.table);
  }

  private static AsyncTable<?> later(Place place) {
    return place.later.getTable(place.table);
  }

  private static RowMutations mutations(Put put) {
    try {
      return RowMutations.of(List.of(put));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Table.CheckAndMutateBuilder column(Table table, byte[] family) {
    return table.checkAndMutate(ROW, family).qualifier(QUALIFIER).ifNotExists();
  }

  private static AsyncTable.CheckAndMutateBuilder column(AsyncTable<?> table, byte[] family) {
    return table.checkAndMutate(ROW, family).qualifier(QUALIFIER).ifNotExists();
  }

  // By the interface of the builder: HBase's classes are not public.
  private static Object then(Object builder, Row action) throws Exception {
    String name =
        action instanceof Delete
            ? "thenDelete"
            : action instanceof RowMutations ? "thenMutate" : "thenPut";
    for (Class<?> type :
        List.of(
            Table.CheckAndMutateBuilder.class,
            Table.CheckAndMutateWithFilterBuilder.class,
            AsyncTable.CheckAndMutateBuilder.class,
            AsyncTable.CheckAndMutateWithFilterBuilder.class)) {
      if (type.isInstance(builder)) {
        for (Method method : type.getMethods()) {
          if (method.getName().equals(name)) {
            return method.invoke(builder, action);
          }
        }
      }
    }
    throw new AssertionError(builder);
  }

  @Test
  void adminsWithoutATable() throws Exception {
    admins(Admin.class, place -> place.connection.getAdmin());
    admins(AsyncAdmin.class, place -> place.later.getAdmin());
    assertNoDifference();
  }

  private <T> void admins(Class<T> type, Opened<T> opened) {
    for (Method method : BadArguments.methods(type)) {
      Class<?>[] types = method.getParameterTypes();
      boolean namesTable =
          Stream.of(types).anyMatch(one -> one == TableName.class || one == TableDescriptor.class);
      if (namesTable) {
        Object[] none = Stream.of(types).map(ArgumentChecksIT::none).toArray();
        compare(
            type.getSimpleName() + "." + method.getName() + Arrays.toString(types),
            place -> method.invoke(opened.at(place), none));
      }
    }
  }

  private static Object none(Class<?> type) {
    return type == boolean.class ? (Object) false : type == int.class ? (Object) 4 : null;
  }

  @Test
  void whatIsClosed() throws Exception {
    List<Place> open = List.copyOf(places);
    places.replaceAll(
        place -> {
          try {
            return open(place.name, place.name.equals("HBase") ? plain : dropIn, place.table);
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        });
    Map<Place, Table> tables = new HashMap<>();
    Map<Place, BufferedMutator> mutators = new HashMap<>();
    Map<Place, AsyncBufferedMutator> laterMutators = new HashMap<>();
    Map<Place, AsyncTable<?>> laterTables = new HashMap<>();
    for (Place place : places) {
      tables.put(place, table(place));
      table(place).get(new Get(ROW));
      laterTables.put(place, later(place));
      FutureUtils.get(later(place).get(new Get(ROW)));
      mutators.put(place, place.connection.getBufferedMutator(place.table));
      laterMutators.put(place, place.later.getBufferedMutator(place.table));
      mutators.get(place).close();
      laterMutators.get(place).close();
    }
    compare(
        "closed mutator",
        place -> {
          mutators.get(place).mutate(put(ROW, FAMILY, 1));
          mutators.get(place).flush();
          return "";
        });
    compare("closed mutator later", place -> laterMutators.get(place).mutate(put(ROW, FAMILY, 1)));
    for (Place place : places) {
      place.connection.close();
      place.later.close();
    }
    compare("get", place -> tables.get(place).get(new Get(ROW)));
    compare("gets", place -> tables.get(place).get(List.of(new Get(ROW))));
    compare("closed: scan", place -> tables.get(place).getScanner(new Scan()));
    compare(
        "batch",
        place -> {
          tables.get(place).batch(List.of(new Get(ROW)), new Object[1]);
          return "";
        });
    compare(
        "put",
        place -> {
          tables.get(place).put(put(ROW, FAMILY, 1));
          return "";
        });
    compare("check", place -> then(column(tables.get(place), FAMILY), put(ROW, FAMILY, 1)));
    compare("table", place -> place.connection.getTable(place.table));
    compare("admin", place -> place.connection.getAdmin());
    compare("mutator", place -> place.connection.getBufferedMutator(place.table));
    compare("locator", place -> place.connection.getRegionLocator(place.table));
    compare("get later", place -> laterTables.get(place).get(new Get(ROW)));
    compare("put later", place -> laterTables.get(place).put(put(ROW, FAMILY, 1)));
    compare("scan later", place -> laterTables.get(place).scanAll(new Scan()));
    compare("table later", place -> later(place));
    compare("admin later", place -> place.later.getAdmin());
    places.clear();
    places.addAll(open);
    assertNoDifference();
  }
}
