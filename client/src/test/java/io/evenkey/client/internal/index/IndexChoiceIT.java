/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.ReadCursor;
import io.evenkey.client.select.Selection;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.index.IndexState;
import io.evenkey.layout.index.TableIndex;
import io.evenkey.layout.text.SyntaxException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whatever a selection is read by, its rows are those of a filter of all rows. */
@ExtendWith(EmbeddedHBaseExtension.class)
class IndexChoiceIT {
  private static final long SEED = Long.getLong("evenkey.seed", 20261125L);
  private static final int ROWS = 500;
  private static final int ROUNDS = Boolean.getBoolean("evenkey.deep") ? 1_000 : 25;

  private static final List<TableIndex> INDEXES =
      List.of(
          index("by_id events public as \"salt(2) + id:int64 + seller:string\""),
          index("by_customer mutable public as \"salt(3) + customer:string\"", "customer"),
          index(
              "by_state mutable public as \"salt(2) + state:string desc + customer:string\"",
              "state",
              "customer"),
          index("open_customers mutable public as \"salt(1) + customer:string\"", "customer")
              .where("customer >= 'c5'"));

  private SpreadTables tables;
  private SpreadTable table;
  private IndexedTable orders;

  /** The fields and columns of a row, by name. */
  private record Order(String seller, long id, @Nullable String customer, @Nullable String state) {
    static final Comparator<Order> BY_KEY =
        Comparator.comparing(Order::seller).thenComparing(Order::id);

    static Order of(KeyedRow row) {
      return new Order(
          row.getString("seller"), row.getLong("id"), text(row, "customer"), text(row, "state"));
    }

    private static @Nullable String text(KeyedRow row, String column) {
      byte[] value = row.value(IndexedTable.D, Bytes.toBytes(column));
      return value == null ? null : Bytes.toString(value);
    }

    Put put() {
      Put put = new Put(IndexedTable.key(seller, id));
      put.addColumn(IndexedTable.D, Bytes.toBytes("note"), Bytes.toBytes("n"));
      if (customer != null) {
        put.addColumn(IndexedTable.D, Bytes.toBytes("customer"), Bytes.toBytes(customer));
      }
      if (state != null) {
        put.addColumn(IndexedTable.D, Bytes.toBytes("state"), Bytes.toBytes(state));
      }
      return put;
    }

    boolean hasEntry(TableIndex index) {
      return switch (index.name()) {
        case "by_id" -> true;
        case "by_customer" -> customer != null;
        case "by_state" -> customer != null && state != null;
        default -> customer != null && customer.compareTo("c5") >= 0;
      };
    }
  }

  /** A condition as text and as Java has it, with the fields that it is on. */
  private record Wanted(Map<String, String> byField, Predicate<Order> test) {
    static Wanted random(SplittableRandom random) {
      Map<String, String> byField = new LinkedHashMap<>();
      Predicate<Order> test = order -> true;
      String[] fields = {"seller", "id", "customer", "state"};
      for (String field : fields) {
        if (random.nextInt(5) > 1) {
          continue;
        }
        String from = value(field, random.nextInt(10));
        String to = value(field, random.nextInt(10));
        switch (random.nextInt(5)) {
          case 0 -> {
            byField.put(field, field + " >= " + from);
            test = test.and(order -> compare(order, field, from) >= 0);
          }
          case 1 -> {
            byField.put(field, field + " between " + from + " and " + to);
            test = test.and(o -> compare(o, field, from) >= 0 && compare(o, field, to) <= 0);
          }
          case 2 -> {
            byField.put(field, field + " in (" + from + ", " + to + ")");
            test = test.and(o -> compare(o, field, from) == 0 || compare(o, field, to) == 0);
          }
          default -> {
            byField.put(field, field + " = " + from);
            test = test.and(order -> compare(order, field, from) == 0);
          }
        }
        Predicate<Order> present = order -> of(order, field) != null;
        test = present.and(test);
      }
      return new Wanted(byField, test);
    }

    private static String value(String field, int at) {
      return switch (field) {
        case "seller" -> "s" + at % 5;
        case "id" -> "" + at * ROWS / 10;
        case "customer" -> "c" + at;
        default -> "t" + at % 3;
      };
    }

    private static @Nullable Object of(Order order, String field) {
      return switch (field) {
        case "seller" -> order.seller();
        case "id" -> order.id();
        case "customer" -> order.customer();
        default -> order.state();
      };
    }

    private static int compare(Order order, String field, String value) {
      return field.equals("id")
          ? Long.compare(order.id(), Long.parseLong(value))
          : String.valueOf(of(order, field)).compareTo(value);
    }

    String text() {
      return String.join(" and ", byField.values());
    }

    boolean isOfTable() {
      return Set.of("seller", "id").containsAll(byField.keySet());
    }

    boolean isReadBy(TableIndex index) {
      Set<String> more =
          switch (index.name()) {
            case "by_id" -> Set.of();
            case "by_state" -> Set.of("customer", "state");
            default -> Set.of("customer");
          };
      return byField.keySet().stream()
          .allMatch(field -> field.equals("seller") || field.equals("id") || more.contains(field));
    }

    Selection of(Selection all) {
      return byField.isEmpty() ? all : all.where(text());
    }
  }

  private static TableIndex index(String text, String... columns) {
    List<String> from = new ArrayList<>();
    for (String column : columns) {
      from.add(column + "=d:" + column);
    }
    return TableIndex.parse(from.isEmpty() ? text : text + " from " + String.join(", ", from));
  }

  @BeforeEach
  void create(EmbeddedHBase shared, TestInfo test) throws IOException {
    orders =
        IndexedTable.create(
            shared.connection(), "choice_" + test.getTestMethod().orElseThrow().getName());
    for (TableIndex index : INDEXES) {
      orders.createEntries(index);
      orders.add(index);
    }
    tables = SpreadTables.on(shared.connection());
    table = tables.open(orders.name());
  }

  @AfterEach
  void close() throws IOException {
    tables.close();
  }

  /** Rows in the order of the table, some of them without columns, and entries without rows. */
  private List<Order> written(SplittableRandom random, int count) throws IOException {
    Map<Long, Order> rows = new TreeMap<>();
    for (long id = 0; id < count; id++) {
      String customer = random.nextInt(6) == 0 ? null : "c" + random.nextInt(10);
      String state = random.nextInt(4) == 0 ? null : "t" + random.nextInt(3);
      rows.put(id, new Order("s" + random.nextInt(5), id, customer, state));
    }
    table.put(rows.values().stream().map(Order::put).toList());
    List<Delete> deletes = new ArrayList<>();
    for (long id = 7; id < count; id += 7) {
      Order deleted = rows.remove(id);
      deletes.add(new Delete(IndexedTable.key(deleted.seller(), id)));
    }
    table.delete(deletes);
    return rows.values().stream().sorted(Order.BY_KEY).toList();
  }

  private static List<Order> read(Selection selection) throws IOException {
    List<Order> read = new ArrayList<>();
    try (KeyedRows rows = selection.open()) {
      for (KeyedRow row : rows) {
        read.add(Order.of(row));
      }
    }
    return read;
  }

  @Test
  void allWaysOfReadingGiveTheSameRows() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    List<Order> all = written(random, ROWS);
    Map<String, Integer> chosen = new TreeMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      Wanted wanted = Wanted.random(random);
      boolean reversed = random.nextBoolean();
      int limit = random.nextBoolean() ? 0 : 1 + random.nextInt(60);
      String what =
          "seed="
              + SEED
              + " round="
              + round
              + " where "
              + wanted.text()
              + " reversed="
              + reversed
              + " limit="
              + limit;
      List<Order> rows = new ArrayList<>(all.stream().filter(wanted.test()).toList());
      if (reversed) {
        Collections.reverse(rows);
      }
      List<Order> first = limit == 0 ? rows : rows.subList(0, Math.min(limit, rows.size()));
      for (TableIndex index : INDEXES) {
        if (wanted.isReadBy(index)) {
          Selection by = with(wanted.of(table.select().by(index.name())), reversed, limit);
          hasSome(by, rows.stream().filter(o -> o.hasEntry(index)).toList(), limit, what, random);
        } else {
          assertThatThrownBy(() -> read(wanted.of(table.select().by(index.name()))))
              .as(what + " by=" + index.name())
              .isInstanceOf(SyntaxException.class);
        }
      }
      if (INDEXES.stream().noneMatch(wanted::isReadBy)) {
        continue;
      }
      Selection any = with(all(wanted).anyOrder(), reversed, limit);
      if (wanted.isOfTable()) {
        Selection ordered = with(all(wanted), reversed, limit);
        assertThat(read(ordered)).as(what).isEqualTo(first);
        hasSome(ordered, rows, limit, what, random);
        hasSome(any, rows, limit, what, random);
        chosen.merge(ordered.explain().choice().chosen().name(), 1, Integer::sum);
        assertThat(
                read(
                    with(
                        wanted.of(table.select().by(orders.name().getNameAsString())),
                        reversed,
                        limit)))
            .as(what)
            .isEqualTo(first);
      } else if (isAnswered(any, what)) {
        hasSome(any, rows, limit, what, random);
      }
      chosen.merge("any: " + chosen(any), 1, Integer::sum);
    }
    assertThat(chosen.keySet())
        .as("seed=%d chosen=%s", SEED, chosen)
        .contains("by_id", orders.name().getNameAsString())
        .contains("any: by_id", "any: by_customer", "any: by_state", "any: refused");
  }

  private Selection all(Wanted wanted) {
    return wanted.of(table.select());
  }

  private static Selection with(Selection selection, boolean reversed, int limit) {
    Selection next = reversed ? selection.reversed() : selection;
    return limit == 0 ? next : next.limit(limit);
  }

  private static String chosen(Selection selection) throws IOException {
    try {
      return selection.explain().choice().chosen().name();
    } catch (IndexRefusedException e) {
      return "refused";
    }
  }

  /** Refused is only what no index has an entry for each row of. */
  private static boolean isAnswered(Selection selection, String what) {
    try (KeyedRows rows = selection.open()) {
      return rows.fields().size() > 2;
    } catch (IOException e) {
      assertThat(e).as(what).isInstanceOf(IndexRefusedException.class);
      assertThat(e).as(what).hasMessageContaining("have no entries");
      return false;
    }
  }

  /** All of these rows, or as many of them as the limit says; each way to read gives the same. */
  private static void hasSome(
      Selection selection, List<Order> rows, int limit, String what, SplittableRandom random)
      throws Exception {
    List<Order> read = read(selection);
    assertThat(read).as(what).doesNotHaveDuplicates().isSubsetOf(rows);
    assertThat(read).as(what).hasSize(limit == 0 ? rows.size() : Math.min(limit, rows.size()));
    assertThat(published(selection.publisher(), 1 + random.nextInt(40))).as(what).isEqualTo(read);
    assertThat(inPages(selection, limit, 5 + random.nextInt(80))).as(what).isEqualTo(read);
  }

  private static List<Order> inPages(Selection selection, int limit, int size) throws IOException {
    List<Order> read = new ArrayList<>();
    ReadCursor cursor = null;
    boolean more = true;
    while (more) {
      int most = limit == 0 ? size : Math.min(size, limit - read.size());
      if (most == 0) {
        break;
      }
      Selection page = cursor == null ? selection : selection.after(cursor);
      int before = read.size();
      try (KeyedRows rows = page.limit(most).open()) {
        for (KeyedRow row : rows) {
          read.add(Order.of(row));
        }
        ReadCursor last = rows.cursor();
        cursor = last == null ? cursor : ReadCursor.parse(last.toString());
      }
      more = read.size() - before == most;
    }
    return read;
  }

  private static List<Order> published(Flow.Publisher<KeyedRow> publisher, int atATime)
      throws Exception {
    CompletableFuture<List<Order>> all = new CompletableFuture<>();
    publisher.subscribe(
        new Flow.Subscriber<>() {
          private final List<Order> read = new ArrayList<>();
          private Flow.Subscription subscription;
          private int open;

          @Override
          public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            more();
          }

          private void more() {
            open = atATime;
            subscription.request(atATime);
          }

          @Override
          public void onNext(KeyedRow row) {
            if (open-- <= 0) {
              all.completeExceptionally(new AssertionError("more than was asked for"));
            }
            read.add(Order.of(row));
            if (open == 0) {
              ForkJoinPool.commonPool().execute(this::more);
            }
          }

          @Override
          public void onError(Throwable error) {
            all.completeExceptionally(error);
          }

          @Override
          public void onComplete() {
            all.complete(read);
          }
        });
    return all.get(30, TimeUnit.SECONDS);
  }

  @Test
  void rowsAreTheSameWhateverTheyAreReadBy() throws Exception {
    List<Order> all = written(new SplittableRandom(SEED), 300);
    Selection ids = table.select().where("id between 5 and 20");
    for (Selection each : List.of(ids, ids.anyOrder(), ids.by(orders.name().getNameAsString()))) {
      try (KeyedRows rows = each.open()) {
        assertThat(rows.fields()).isEqualTo(table.layout().fields());
        assertThat(rows.columns()).isEmpty();
        assertThat(rows.next().values().asMap()).containsOnlyKeys("seller", "id");
      }
    }
    try (KeyedRows rows = table.select().where("customer = 'c1' and state = 't1'").open()) {
      assertThat(rows.next().values().asMap().keySet())
          .containsExactly("seller", "id", "state", "customer");
      assertThat(rows.columns()).hasSize(2);
    }
    try (KeyedRows rows = table.select().by("by_state").open()) {
      assertThat(rows.next().values().asMap().keySet())
          .containsExactly("state", "customer", "seller", "id");
    }
    // Rows without the column are left out, as HBase does it, and the indexed column is not shown.
    byte[] state = Bytes.toBytes("state");
    Selection states = table.select().where("customer = 'c1'").column(IndexedTable.D, state);
    try (KeyedRows rows = states.open()) {
      List<Long> ids1 = new ArrayList<>();
      for (KeyedRow row : rows) {
        assertThat(row.value(IndexedTable.D, state)).isNotNull();
        assertThat(row.result().size()).isEqualTo(1);
        ids1.add(row.getLong("id"));
      }
      assertThat(ids1)
          .containsExactlyInAnyOrderElementsOf(
              all.stream()
                  .filter(o -> "c1".equals(o.customer()) && o.state() != null)
                  .map(Order::id)
                  .toList());
    }
    assertThatThrownBy(
            () -> table.select().where("customer = 'c1'").filter(new FirstKeyOnlyFilter()).open())
        .isInstanceOf(IndexRefusedException.class)
        .hasMessageContaining("the filter of the selection");
  }

  /** What the client knows of the index is of before: it learns of it from a refusal. */
  @Test
  void anIndexThatIsRefusedGivesWayToTheTable() throws Exception {
    List<Order> all = written(new SplittableRandom(SEED), 60);
    List<Order> fives = all.stream().filter(o -> o.id() == 5).toList();
    List<Order> some = all.stream().filter(o -> o.id() >= 5 && o.id() <= 20).toList();
    for (IndexState state : new IndexState[] {IndexState.CLOSING, IndexState.BUILDING}) {
      orders.add(INDEXES.get(0));
      table = tables.open(orders.name());
      Selection five = table.select().where("id = 5");
      Selection any = table.select().where("id between 5 and 20").anyOrder();
      assertThat(chosen(five)).isEqualTo("by_id");
      KeyedRows opened = five.open();
      Flow.Publisher<KeyedRow> publisher = any.publisher();
      orders.add(INDEXES.get(0).in(state));
      assertThat(published(publisher, 3)).containsExactlyInAnyOrderElementsOf(some);
      assertThat(Order.of(opened.next())).isEqualTo(fives.get(0));
      opened.close();
      assertThat(read(five)).isEqualTo(fives);
      assertThat(read(any)).containsExactlyInAnyOrderElementsOf(some);
      assertThat(chosen(five)).isEqualTo(orders.name().getNameAsString());
      assertThat(five.explain().choice().plans().get(1).verdict())
          .isEqualTo("not read now: state=" + state);
    }
    Selection customer = table.select().where("customer = 'c1'");
    KeyedRows opened = customer.open();
    orders.set(orders.indexes().without("by_customer"));
    assertThatThrownBy(opened::next).hasStackTraceContaining("no such index");
    assertThatThrownBy(customer::open)
        .isInstanceOf(IndexRefusedException.class)
        .hasMessageContaining("can serve");
  }
}
