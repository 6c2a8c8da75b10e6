/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.Selection;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.index.IndexAddition;
import io.evenkey.jobs.index.IndexListener;
import io.evenkey.jobs.index.IndexRemoval;
import io.evenkey.jobs.index.IndexReport;
import io.evenkey.jobs.index.IndexVerification;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bulk writes into tables with indexes, whose files are made by the same job and loaded first. */
@Tag("ci")
@ExtendWith(EmbeddedHBaseExtension.class)
class IndexedBulkWriteIT {
  private static final long SEED = Long.getLong("evenkey.seed", 20261127L);
  private static final Layout LAYOUT = Layout.parse("salt(4) + seller:string + id:int64");
  private static final String COLUMNS =
      "d:customer=customer, e:state=state, e:amount=amount:int64, d:note=note";
  private static final StructType SCHEMA =
      new StructType()
          .add("seller", DataTypes.StringType)
          .add("id", DataTypes.LongType)
          .add("customer", DataTypes.StringType)
          .add("state", DataTypes.StringType)
          .add("amount", DataTypes.LongType)
          .add("note", DataTypes.StringType);
  private static final TableIndex BY_CUSTOMER =
      TableIndex.parse(
          "by_customer events joining as \"salt(3) + customer:string\" from customer=d:customer");
  private static final TableIndex BY_STATE =
      TableIndex.parse(
          "by_state append_only joining as \"salt(2) + state:string + id:int64 desc\""
              + " from state=e:state covering e:amount");

  private static LocalSpark spark;
  private static Connection connection;
  private static SpreadTables tables;
  private static Registry registry;

  /** What happens once while tasks make files, in this process. */
  private static final AtomicReference<Runnable> MEANWHILE = new AtomicReference<>();

  @TempDir private Path work;
  private TableName name;

  @BeforeAll
  static void start(Connection shared) throws IOException {
    connection = shared;
    tables = SpreadTables.on(shared);
    registry = Registry.open(shared.getConfiguration());
    spark = LocalSpark.on(shared);
  }

  @AfterAll
  static void close() throws IOException {
    spark.close();
    registry.close();
    tables.close();
  }

  @BeforeEach
  void create(TestInfo test) throws IOException {
    name =
        TableName.valueOf(
            "spark_"
                + test.getTestMethod().orElseThrow().getName()
                + Integer.toHexString(test.getDisplayName().hashCode()));
    tables.create(name, LAYOUT, LAYOUT.splits(4), List.of("d", "e"));
  }

  /** A row of the data frame. Null columns are none of the row's. */
  private record Order(
      String seller, long id, String customer, String state, Long amount, String note) {
    static Order random(long id, SplittableRandom random) {
      boolean open = random.nextInt(4) > 0;
      return new Order(
          "s" + random.nextInt(7),
          id,
          random.nextInt(5) == 0 ? null : "c" + random.nextInt(11),
          open ? "st" + random.nextInt(3) : null,
          open ? (Long) (long) random.nextInt(100) : null,
          random.nextInt(3) == 0 ? null : "n" + id);
    }

    Row row() {
      return RowFactory.create(seller, id, customer, state, amount, note);
    }
  }

  private static List<Order> orders(int count) {
    SplittableRandom random = new SplittableRandom(SEED);
    List<Order> orders = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      orders.add(Order.random(i, random));
    }
    return orders;
  }

  private static Dataset<Row> frame(List<Order> orders) {
    return spark
        .session()
        .createDataFrame(orders.stream().map(Order::row).toList(), SCHEMA)
        .repartition(3);
  }

  private void write(Dataset<Row> rows) {
    write(rows, true);
  }

  private void write(Dataset<Row> rows, boolean bulk) {
    spark
        .write(rows, name.getNameAsString())
        .option("columns", COLUMNS)
        .option("bulk", bulk)
        .option("work", work.toUri().toString())
        .mode("append")
        .save();
  }

  private void add(TableIndex index) throws IOException {
    new IndexAddition(name, index, 0, 0).run(connection, registry, IndexListener.NONE);
  }

  /**
   * Checks that rows and entries name each other.
   *
   * @param rows the rows that have the columns of the index
   */
  private void isVerified(TableIndex index, long rows) throws IOException {
    IndexReport report =
        IndexVerification.run(connection, registry, name, index.name(), false, IndexListener.NONE);
    assertThat(report.rows()).isEqualTo(rows);
    assertThat(report.found().missing()).isZero();
    assertThat(report.found().phantoms()).isZero();
  }

  private static long withCustomer(List<Order> orders) {
    return orders.stream().filter(order -> order.customer != null).count();
  }

  private static long withState(List<Order> orders) {
    return orders.stream().filter(order -> order.state != null).count();
  }

  private static List<Object> read(Selection selection, String... fields) throws IOException {
    List<Object> read = new ArrayList<>();
    try (KeyedRows rows = selection.open()) {
      for (KeyedRow row : rows) {
        List<Object> values = new ArrayList<>();
        for (String field : fields) {
          values.add(row.get(field));
        }
        read.add(values);
      }
    }
    return read;
  }

  private Selection by(TableIndex index) throws IOException {
    return tables.open(name).select().by(index.name());
  }

  private static List<Result> stored(TableName table) throws IOException {
    List<Result> rows = new ArrayList<>();
    try (ResultScanner all = tables.open(table).scanStored()) {
      all.forEach(rows::add);
    }
    return rows;
  }

  private TableName entries(TableIndex index) {
    return TableName.valueOf(name.getNameAsString() + "." + index.name());
  }

  /** The first rows are written in the other way. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void readsByIndexesFindTheRowsThatAreWritten(boolean bulk) throws Exception {
    add(BY_CUSTOMER);
    add(BY_STATE);
    List<Order> orders = orders(600);
    write(frame(orders.subList(0, 150)), !bulk);
    write(frame(orders.subList(150, 600)), bulk);

    assertThat(read(by(BY_CUSTOMER), "customer", "seller", "id"))
        .isEqualTo(
            orders.stream()
                .filter(order -> order.customer != null)
                .sorted(
                    Comparator.comparing(Order::customer)
                        .thenComparing(Order::seller)
                        .thenComparing(Order::id))
                .map(order -> List.of(order.customer, order.seller, order.id))
                .toList())
        .isNotEmpty();
    assertThat(read(tables.open(name).select().where("customer = 'c7'"), "seller", "id"))
        .isEqualTo(
            orders.stream()
                .filter(order -> "c7".equals(order.customer))
                .sorted(Comparator.comparing(Order::seller).thenComparing(Order::id))
                .map(order -> List.of(order.seller, order.id))
                .toList())
        .isNotEmpty();
    List<Object> amounts =
        orders.stream()
            .filter(order -> "st1".equals(order.state))
            .sorted(Comparator.comparing(Order::id).reversed())
            .map(order -> (Object) List.of(order.id, order.amount))
            .toList();
    assertThat(amounts()).isEqualTo(amounts).isNotEmpty();
    assertThat(stored(name)).hasSize(600);
    isVerified(BY_CUSTOMER, withCustomer(orders));
    isVerified(BY_STATE, withState(orders));
    // Then reads take the covered column from the entries.
    assertThat(
            IndexVerification.sweep(connection, registry, name, BY_STATE.name(), IndexListener.NONE)
                .settled())
        .isEqualTo(withState(orders));
    assertThat(amounts()).isEqualTo(amounts);
    assertThat(work).isEmptyDirectory();
  }

  private List<Object> amounts() throws IOException {
    byte[] family = Bytes.toBytes("e");
    byte[] amount = Bytes.toBytes("amount");
    List<Object> read = new ArrayList<>();
    try (KeyedRows rows = by(BY_STATE).where("state = 'st1'").column(family, amount).open()) {
      for (KeyedRow row : rows) {
        read.add(List.of(row.getLong("id"), Bytes.toLong(row.value(family, amount))));
      }
    }
    return read;
  }

  @Test
  void indexOfMutableRowsIsRefused() throws Exception {
    add(TableIndex.parse("by_note mutable joining as \"salt(2) + note:string\" from note=d:note"));
    assertThatThrownBy(() -> write(frame(orders(10))))
        .hasStackTraceContaining("bulk load into a table with an index of mutable rows")
        .hasStackTraceContaining("table=" + name + " index=by_note")
        .hasStackTraceContaining("write by puts, not in bulk");
    assertThat(stored(name)).isEmpty();
    assertThat(work).isEmptyDirectory();
  }

  /** The rows, and what happens when a task encodes the first of them. */
  private static Dataset<Row> during(List<Order> orders, Runnable meanwhile) {
    MEANWHILE.set(meanwhile);
    UDF1<String, String> once =
        text -> {
          Runnable action = MEANWHILE.getAndSet(null);
          if (action != null) {
            action.run();
          }
          return text;
        };
    return frame(orders)
        .withColumn("note", functions.udf(once, DataTypes.StringType).apply(functions.col("note")));
  }

  private interface Action {
    void run() throws IOException;
  }

  private static Runnable unchecked(Action action) {
    return () -> {
      try {
        action.run();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  @Test
  void indexThatIsAddedMeanwhileKeepsTheFilesOutOfTheTable() throws Exception {
    List<Order> orders = orders(100);
    assertThatThrownBy(() -> write(during(orders, unchecked(() -> add(BY_CUSTOMER)))))
        .hasStackTraceContaining("request was made by another layout, or for other indexes")
        .hasStackTraceContaining("table=" + name);
    assertThat(stored(name)).isEmpty();
    assertThat(work).isEmptyDirectory();

    write(frame(orders));
    isVerified(BY_CUSTOMER, withCustomer(orders));
  }

  @Test
  @Tag("long")
  void indexThatIsSweptMeanwhileKeepsTheFilesOutOfTheTable() throws Exception {
    add(BY_CUSTOMER);
    byte[] key = LAYOUT.logicalKey(Values.of("seller", "s1").and("id", 1_000L));
    byte[] customer = Bytes.toBytes("customer");
    tables
        .open(name)
        .put(new Put(key).addColumn(Bytes.toBytes("d"), customer, Bytes.toBytes("c1")));
    tables.open(name).delete(new Delete(key));
    List<Order> orders = orders(100);
    assertThatThrownBy(() -> write(during(orders, unchecked(this::sweep))))
        .hasStackTraceContaining("request was made by another layout, or for other indexes");
    assertThat(stored(name)).isEmpty();
    // These are harmless: a reader drops them, and a sweep removes them.
    assertThat(stored(entries(BY_CUSTOMER))).isNotEmpty();
    assertThat(read(by(BY_CUSTOMER), "id")).isEmpty();
    sweep();
    assertThat(stored(entries(BY_CUSTOMER))).isEmpty();

    write(frame(orders));
    isVerified(BY_CUSTOMER, withCustomer(orders));
  }

  private void sweep() throws IOException {
    IndexReport report =
        IndexVerification.sweep(connection, registry, name, BY_CUSTOMER.name(), IndexListener.NONE);
    assertThat(report.removed()).isPositive();
  }

  @Test
  @Tag("long")
  void indexThatIsDroppedMeanwhileKeepsTheFilesOutOfTheTable() throws Exception {
    add(BY_CUSTOMER);
    Runnable drop =
        unchecked(
            () ->
                IndexRemoval.run(
                    connection, registry, name, BY_CUSTOMER.name(), IndexListener.NONE));
    assertThatThrownBy(() -> write(during(orders(100), drop)))
        .hasStackTraceContaining(entries(BY_CUSTOMER).getNameAsString());
    assertThat(stored(name)).isEmpty();
    assertThat(work).isEmptyDirectory();
  }

  @Test
  @Tag("long")
  void rowWithSomeColumnsOfAnIndexIsNamedAndNothingIsWritten() throws Exception {
    add(BY_STATE);
    List<Order> orders = orders(50);
    orders.add(new Order("s1", 77, "c1", "st1", null, null));
    assertThatThrownBy(() -> write(frame(orders)))
        .hasStackTraceContaining(
            "row that cannot have its entry in an index: row={seller=s1, id=77}")
        .hasStackTraceContaining("put of only some of the columns of an index")
        .hasStackTraceContaining("index=by_state column=e:amount");
    assertThat(stored(name)).isEmpty();
    assertThat(stored(entries(BY_STATE))).isEmpty();
    assertThat(work).isEmptyDirectory();
  }

  @Test
  @Tag("long")
  void rowWithAValueThatAnIndexCannotHoldIsNamedAndNothingIsWritten() throws Exception {
    add(TableIndex.parse("by_note events joining as \"salt(2) + n:int32\" from n=d:note"));
    List<Order> orders =
        List.of(
            new Order("s1", 1, null, null, null, "12"),
            new Order("s1", 2, null, null, null, "twelve"));
    assertThatThrownBy(() -> write(frame(orders)))
        .hasStackTraceContaining(
            "row that cannot have its entry in an index: row={seller=s1, id=2}")
        .hasStackTraceContaining("twelve");
    assertThat(stored(name)).isEmpty();
  }

  @Test
  @Tag("long")
  void rowsOfTheSameKeyAreOneThatIsInTheIndex() throws Exception {
    add(BY_CUSTOMER);
    List<Order> orders = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      orders.add(new Order("s1", i % 100, i % 3 == 0 ? null : "c" + i, null, null, "n" + i));
    }
    write(frame(orders));
    isVerified(BY_CUSTOMER, 100);
    List<Object> read = read(by(BY_CUSTOMER), "id");
    assertThat(read).doesNotHaveDuplicates().hasSize(100);
  }

  /** Files of each region, which has families with one file each, or none. */
  private static void hasOneFileOfEachFamily(TableName table, int families) throws IOException {
    int files = 0;
    try (Admin admin = connection.getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        for (RegionMetrics region : admin.getRegionMetrics(server, table)) {
          assertThat(region.getStoreFileCount()).isLessThanOrEqualTo(families);
          files += region.getStoreFileCount();
        }
      }
    }
    assertThat(files).isPositive();
  }

  @ParameterizedTest
  @EnumSource(FailingFiles.Moment.class)
  @Tag("long")
  void taskThatIsRunAgainLeavesOneFile(FailingFiles.Moment moment) throws Exception {
    add(BY_CUSTOMER);
    List<Order> orders = orders(200);
    try (FailingFiles.Used failing = FailingFiles.in(spark, moment)) {
      write(frame(orders));
      // Of regions of both tables.
      assertThat(failing.failed()).hasSizeGreaterThan(4);
    }
    hasOneFileOfEachFamily(name, 2);
    hasOneFileOfEachFamily(entries(BY_CUSTOMER), 1);
    isVerified(BY_CUSTOMER, withCustomer(orders));
  }
}
