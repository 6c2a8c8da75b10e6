/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.index.IndexReads;
import io.evenkey.client.internal.index.IndexWrites;
import io.evenkey.layout.Layout;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.text.SyntaxException;
import io.evenkey.protocol.index.IndexState;
import io.evenkey.protocol.index.ReadFigures;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.protocol.index.TableIndexes;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of a table and its indexes is read, and why. */
class CandidatesTest {
  private static final TableName ORDERS = TableName.valueOf("orders");
  private static final Layout LAYOUT =
      Layout.parse("salt(8) + shop:string + seller:string + id:int64");

  private static final TableIndex BY_SELLER =
      index("by_seller events", "salt(4) + seller:string + shop:string + id:int64", "");
  private static final TableIndex BY_ID =
      index("by_id events", "salt(2) + id:int64 desc + shop:string + seller:string", "");
  private static final TableIndex BY_CUSTOMER =
      index("by_customer mutable", "salt(3) + customer:string + id:int64", "customer=d:customer");
  private static final TableIndex BY_STATE =
      index(
          "by_state mutable",
          "salt(1) + state:string + customer:string + id:int64",
          "state=d:state, customer=d:customer");
  private static final TableIndex LARGE =
      index("large mutable", "salt(1) + amount:int64", "amount=d:amount:long")
          .where("amount >= 1000");

  private static TableIndex index(String head, String layout, String columns) {
    String from = columns.isEmpty() ? "" : " from " + columns;
    return TableIndex.parse(head + " public as \"" + layout + "\"" + from);
  }

  private static IndexWrites indexes(boolean guarded, TableIndex... list) {
    TableIndexes all = TableIndexes.NONE;
    for (TableIndex index : list) {
      all = all.with(index);
    }
    return IndexWrites.of(ORDERS, LAYOUT, all, guarded);
  }

  private static IndexWrites all() {
    return indexes(true, BY_SELLER, BY_ID, BY_CUSTOMER, BY_STATE, LARGE);
  }

  private static SelectionOptions where(String condition, Consumer<SelectionOptions> change) {
    SelectionOptions options = new SelectionOptions();
    if (condition != null && !condition.isEmpty()) {
      Function<Layout, Where> reading = layout -> layout.where(condition);
      Where where;
      try {
        where = reading.apply(LAYOUT);
      } catch (SyntaxException e) {
        where = null;
      }
      options.condition = new KeyCondition(reading, LAYOUT, where);
    }
    change.accept(options);
    return options;
  }

  private static ReadChoice choice(IndexWrites known, SelectionOptions options) throws Exception {
    return Candidates.of(ORDERS, LAYOUT, known, options, Set.of()).choose().choice();
  }

  private static String verdict(ReadChoice choice, String name) {
    return choice.plans().stream()
        .filter(plan -> plan.name().equals(name))
        .findFirst()
        .orElseThrow()
        .verdict();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // condition | in the table's order | in any order
        "                                              | orders      | orders",
        "shop = 'a'                                    | orders      | orders",
        "shop = 'a' and seller = 's' and id = 5        | orders      | orders",
        "shop > 'a'                                    | orders      | orders",
        // The same order, since the only other field before the rest is fixed.
        "seller = 's'                                  | by_seller   | by_seller",
        "seller = 's' and id > 5                       | by_seller   | by_seller",
        "seller = 's' and shop starts with 'a'         | by_seller   | by_seller",
        // Another order, since there are several sellers.
        "seller in ('s', 't')                          | orders      | by_seller",
        "seller between 's' and 't'                    | orders      | by_seller",
        // Two of three rows read besides would be dearer than all of the table.
        "seller >= 's'                                 | orders      | orders",
        "seller != 's'                                 | orders      | orders",
        // Another direction.
        "id = 5                                        | by_id       | by_id",
        "id between 5 and 9                            | orders      | by_id",
        "shop = 'a' and id between 5 and 9             | orders      | orders",
        // Only indexes have the fields.
        "customer = 'c'                                | by_customer | by_customer",
        "customer = 'c' and id > 5                     | by_customer | by_customer",
        "customer != 'c'                               | by_customer | by_customer",
        "customer = 'c' and state = 'open'             | by_state    | by_state",
        "amount > 2000                                 | large       | large",
        "amount = 1000 and seller = 's'                | large       | large",
      })
  void theOneThatReadsLeastIsChosen(String condition, String ordered, String any) throws Exception {
    assertThat(choice(all(), where(condition, o -> {})).chosen().name()).isEqualTo(ordered);
    assertThat(choice(all(), where(condition, o -> o.anyOrder = true)).chosen().name())
        .isEqualTo(any);
    // Named, the table is read by its own key whatever that costs.
    SelectionOptions named = where(condition, o -> o.byTable = true);
    assertThat(choice(all(), named).chosen().name()).isEqualTo("orders");
  }

  @Test
  void anIndexThatMayLackRowsOfTheSelectionIsNotChosenByItself() throws Exception {
    // All rows without a customer would be missing; so would those of small amounts.
    for (String condition : new String[] {"state = 'open'", "amount > 900", "amount != 1000"}) {
      assertThatThrownBy(() -> choice(all(), where(condition, o -> {})))
          .as(condition)
          .isInstanceOf(IndexRefusedException.class)
          .hasMessageContaining("condition that only an index can serve")
          .hasMessageContaining("by_state (")
          .hasMessageContaining("select().by(");
    }
    ReadChoice named = choice(all(), where("state = 'open'", o -> o.by = "by_state"));
    assertThat(named.chosen().name()).isEqualTo("by_state");
    assertThat(named.chosen().verdict()).isEqualTo("named by by(…)");
    assertThat(verdict(choice(all(), where("id = 5", o -> {})), "by_customer"))
        .isEqualTo("rows without d:customer (customer) have no entries");
    assertThat(verdict(choice(all(), where("amount = 2000", o -> {})), "by_customer"))
        .contains("does not have all fields");
  }

  @Test
  void whatOrderForbidsIsExplained() throws Exception {
    ReadChoice choice = choice(all(), where("seller in ('s', 't')", o -> {}));
    assertThat(choice.chosen().verdict()).isEqualTo("keeps the order of the table's key");
    assertThat(verdict(choice, "by_seller")).contains("another order").contains("anyOrder()");
    assertThat(choice.plans()).extracting(ReadPlan::name).startsWith("orders", "by_seller");
    ReadFigures figures = choice.plans().get(1).figures();
    assertThat(figures.ranges()).isEqualTo(8);
    assertThat(figures.rowReads()).isTrue();
    assertThat(figures.cost()).isEqualTo(0.02 * 11);
    assertThat(choice.plans().get(0).figures().cost()).isEqualTo(1);
    assertThat(choice(null, where("shop = 'a'", o -> {})).chosen().verdict())
        .isEqualTo("the table has no index");
  }

  @Test
  void anIndexThatCoversTheColumnsCostsNoReadsOfRows() throws Exception {
    TableIndex covering =
        TableIndex.parse(
            "by_seller append_only public as \"salt(1) + seller:string + shop:string\""
                + " covering d:amount");
    IndexWrites known = indexes(true, covering);
    byte[] d = Bytes.toBytes("d");
    // Two of three rows: with reads of rows dearer than the whole table.
    SelectionOptions covered =
        where(
            "seller >= 's'",
            o -> {
              o.anyOrder = true;
              o.scan.addColumn(d, Bytes.toBytes("amount"));
            });
    ReadChoice choice = choice(known, covered);
    assertThat(choice.chosen().name()).isEqualTo("by_seller");
    assertThat(choice.chosen().figures().rowReads()).isFalse();
    SelectionOptions other =
        where(
            "seller >= 's'",
            o -> {
              o.anyOrder = true;
              o.scan.addColumn(d, Bytes.toBytes("note"));
            });
    assertThat(choice(known, other).chosen().name()).isEqualTo("orders");
  }

  @Test
  void anIndexThatMayNotBeReadIsNoCandidate() throws Exception {
    for (IndexState state : IndexState.values()) {
      IndexWrites known = indexes(true, BY_SELLER.in(state), BY_CUSTOMER.in(state));
      ReadChoice choice = choice(known, where("seller = 's'", o -> {}));
      if (state.isRead()) {
        assertThat(choice.chosen().name()).isEqualTo("by_seller");
      } else {
        assertThat(choice.chosen().name()).isEqualTo("orders");
        assertThat(verdict(choice, "by_seller")).isEqualTo("not read now: state=" + state);
        assertThatThrownBy(() -> choice(known, where("customer = 'c'", o -> {})))
            .isInstanceOf(IndexRefusedException.class)
            .hasMessageContaining("by_customer (not read now: state=" + state + ")");
      }
    }
    ReadChoice unguarded = choice(indexes(false, BY_SELLER), where("seller = 's'", o -> {}));
    assertThat(verdict(unguarded, "by_seller")).contains("needs the guard");
    ReadChoice filtered =
        choice(all(), where("seller = 's'", o -> o.scan.setFilter(new KeyOnlyFilter())));
    assertThat(filtered.chosen().name()).isEqualTo("orders");
    assertThat(verdict(filtered, "by_seller")).contains("filter");
    Candidates failed =
        Candidates.of(ORDERS, LAYOUT, all(), where("seller = 's'", o -> {}), Set.of("by_seller"));
    assertThat(failed.choose().choice().chosen().name()).isEqualTo("orders");
  }

  @Test
  void aNameThatIsAnotherColumnInEachIndexIsRefused() {
    TableIndex other = index("by_buyer mutable", "salt(3) + customer:string", "customer=d:buyer");
    assertThatThrownBy(
            () -> choice(indexes(true, BY_CUSTOMER, other), where("customer = 'c'", o -> {})))
        .isInstanceOf(IndexRefusedException.class)
        .hasMessageContaining("different columns: table=orders indexes=by_customer,by_buyer");
  }

  @Test
  void aCursorIsContinuedByWhatItWasReadBy() throws Exception {
    IndexReads seller = IndexReads.of(ORDERS, all(), "by_seller");
    ReadCursor entry = ReadCursor.of(seller, ReadCursor.formOf(seller), new byte[] {'s', 0});
    assertThat(ReadCursor.parse(entry.toString())).isEqualTo(entry).hasToString(entry.toString());
    ReadCursor key = ReadCursor.of(new byte[] {(byte) 0xff, 0});
    assertThat(ReadCursor.parse(key.toString())).isEqualTo(key);
    ReadCursor ofForm = ReadCursor.of("1a2b3c4d", key.key());
    assertThat(ReadCursor.parse(ofForm.toString())).isEqualTo(ofForm).isNotEqualTo(key);
    assertThat(ofForm.index()).isNull();
    for (String text : new String[] {"", "by_seller", "by_seller:QQ", ".x:!", ":!"}) {
      assertThatThrownBy(() -> ReadCursor.parse(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("not a cursor");
    }
    String both = "seller in ('s', 't')";
    assertThat(choice(all(), where(both, o -> o.cursor = entry)).chosen().name())
        .isEqualTo("by_seller");
    String one = "seller = 's'";
    assertThat(choice(all(), where(one, o -> o.cursor = key)).chosen().name()).isEqualTo("orders");
    refused(
        "cursor of another read",
        where(
            one,
            o -> {
              o.by = "by_id";
              o.cursor = entry;
            }));
    refused(
        "cursor of another read",
        where(
            one,
            o -> {
              o.by = "by_seller";
              o.cursor = key;
            }));
    IndexWrites replaced =
        indexes(true, index("by_seller events", "salt(4) + seller:string + id:int64", ""));
    assertThatThrownBy(() -> choice(replaced, where(one, o -> o.cursor = entry)))
        .hasMessageContaining("cursor of another read");
    assertThatThrownBy(() -> choice(indexes(true, BY_ID), where(one, o -> o.cursor = entry)))
        .hasMessageContaining("no such index");
  }

  /**
   * Commands refuse such a name; a table that was restored under another name may still have it.
   */
  @Test
  void anIndexOfTheNameOfItsTableIsAnotherThingThanTheTable() throws Exception {
    IndexWrites known =
        indexes(true, index("orders events", "salt(4) + seller:string + shop:string", ""));
    assertThat(choice(known, where("", o -> o.by = "orders")).chosen().isIndex()).isTrue();
    assertThat(choice(known, where("", o -> o.byTable = true)).chosen().isIndex()).isFalse();
    IndexReads read = IndexReads.of(ORDERS, known, "orders.orders");
    ReadCursor entry = ReadCursor.of(read, ReadCursor.formOf(read), new byte[] {'s', 0});
    assertThat(choice(known, where("", o -> o.cursor = entry)).chosen().isIndex()).isTrue();
  }

  private static void refused(String message, SelectionOptions options) {
    assertThatThrownBy(() -> choice(all(), options))
        .isInstanceOf(IndexRefusedException.class)
        .hasMessageContaining(message);
  }
}
