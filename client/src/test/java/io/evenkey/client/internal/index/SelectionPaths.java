/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.PublishedRows;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.ReadCursor;
import io.evenkey.client.select.Selection;
import io.evenkey.layout.text.SyntaxException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads of an {@link IndexedTable} by the selections of a {@link SpreadTable}: whatever they are
 * read by, their rows are those of a filter of all rows, in the order of the table or of the index.
 * Not thread-safe.
 */
final class SelectionPaths {
  private static final List<Set<String>> COLUMNS =
      List.of(Set.of(), Set.of("amount"), Set.of("note"), Set.of("amount", "customer"));

  private final SpreadTable table;
  private final List<OrderIndex> indexes;
  private final int ids;

  /** What selections were read by, of those for which the client chooses. */
  private final Set<String> chosen = new TreeSet<>();

  /**
   * @param ids how many ids there are
   */
  SelectionPaths(SpreadTable table, List<OrderIndex> indexes, int ids) {
    this.table = table;
    this.indexes = indexes;
    this.ids = ids;
  }

  Set<String> chosen() {
    return chosen;
  }

  /** What a selection asks for, besides the way by which it is read. */
  private record Asked(Wanted wanted, Set<String> columns, boolean reversed, int limit) {
    static Asked random(SplittableRandom random, int ids) {
      return new Asked(
          Wanted.random(random, ids),
          COLUMNS.get(random.nextInt(COLUMNS.size())),
          random.nextBoolean(),
          random.nextBoolean() ? 0 : 1 + random.nextInt(60));
    }

    Selection of(Selection all) {
      Selection some = wanted.of(all);
      for (String column : columns) {
        some = some.column(IndexedTable.D, Bytes.toBytes(column));
      }
      some = reversed ? some.reversed() : some;
      return limit == 0 ? some : some.limit(limit);
    }

    /** The rows that the selection has to give, of those that its way has in its order. */
    List<Order> of(List<Order> ordered) {
      List<Order> rows = new ArrayList<>();
      for (Order order : ordered) {
        Order shown = columns.isEmpty() ? order : order.only(columns);
        // HBase leaves rows out that have none of the columns.
        if (wanted.test().test(order) && !shown.columns().isEmpty()) {
          rows.add(shown);
        }
      }
      if (reversed) {
        Collections.reverse(rows);
      }
      return limit == 0 ? rows : rows.subList(0, Math.min(limit, rows.size()));
    }
  }

  /**
   * Reads one selection in all ways.
   *
   * @param all the rows that there are
   * @param run names the run, in failures
   */
  void compare(List<Order> all, SplittableRandom random, String run) throws Exception {
    Asked asked = Asked.random(random, ids);
    String what = run + asked;
    for (OrderIndex index : indexes) {
      if (index.reads(asked.wanted().fields())) {
        Selection by = asked.of(table.select().by(index.name()));
        check(by, asked.of(index.of(all)), asked, random, what + " by " + index.name());
      } else {
        assertThatThrownBy(() -> read(asked.of(table.select().by(index.name()))))
            .as(what + " by " + index.name())
            .isInstanceOf(SyntaxException.class);
      }
    }
    List<Order> inOrder = all.stream().sorted(order(name())).toList();
    if (asked.wanted().isOfTable()) {
      Selection ordered = asked.of(table.select());
      chosen.add(chosen(ordered));
      check(ordered, asked.of(inOrder), asked, random, what);
      check(
          asked.of(table.select().by(name())),
          asked.of(inOrder),
          asked,
          random,
          what + " by the table");
    } else {
      checkAny(asked.of(table.select()), all, asked, random, what);
    }
    checkAny(asked.of(table.select().anyOrder()), all, asked, random, what + " in any order");
  }

  private String name() {
    return table.name().getNameAsString();
  }

  private Comparator<Order> order(String way) {
    return indexes.stream()
        .filter(index -> index.name().equals(way))
        .findFirst()
        .map(OrderIndex::order)
        .orElse(Order.by(IndexedTable.LAYOUT));
  }

  /** A selection that the table cannot serve, or that may be read in another order. */
  private void checkAny(
      Selection selection, List<Order> all, Asked asked, SplittableRandom random, String what)
      throws Exception {
    String way = chosen(selection);
    chosen.add("any: " + way);
    if (way.isEmpty()) {
      assertThat(indexes).as(what).noneMatch(index -> index.serves(asked.wanted().fields()));
      assertThatThrownBy(selection::open)
          .as(what)
          .isInstanceOf(IndexRefusedException.class)
          .hasMessageContaining("have no entries");
      return;
    }
    List<Order> rows = all.stream().sorted(order(way)).toList();
    check(selection, asked.of(rows), asked, random, what + " chosen " + way);
  }

  /** By what a selection is read; empty if it is refused. */
  static String chosen(Selection selection) throws IOException {
    try {
      return selection.explain().choice().chosen().name();
    } catch (IndexRefusedException e) {
      return "";
    }
  }

  private static void check(
      Selection selection, List<Order> rows, Asked asked, SplittableRandom random, String what)
      throws Exception {
    assertThat(read(selection)).as(what).isEqualTo(rows);
    assertThat(PublishedRows.of(selection.publisher(), 1 + random.nextInt(40), Order::of))
        .as(what + ", published")
        .isEqualTo(rows);
    assertThat(inPages(selection, asked.limit(), 5 + random.nextInt(80)))
        .as(what + ", in pages")
        .isEqualTo(rows);
  }

  static List<Order> read(Selection selection) throws IOException {
    List<Order> read = new ArrayList<>();
    try (KeyedRows rows = selection.open()) {
      for (KeyedRow row : rows) {
        read.add(Order.of(row));
      }
    }
    return read;
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
}
