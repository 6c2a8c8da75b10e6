/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.ReadCursor;
import io.evenkey.client.select.Selection;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.index.IndexColumn;
import io.evenkey.protocol.index.IndexKey;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Reads of a table of {@link Reading}s and of its indexes: each has the rows of a filter of a scan
 * of the whole table, in the order of what is read. Not thread-safe.
 */
final class ReadingPaths {
  private static final int PAGE = 17;

  private final Connection plain;
  private final Connection dropIn;
  private final SpreadTable table;
  private final String what;
  private final List<Reading> all = new ArrayList<>();

  private ReadingPaths(Connection plain, Connection dropIn, SpreadTable table, String what) {
    this.plain = plain;
    this.dropIn = dropIn;
    this.table = table;
    this.what = what;
  }

  /**
   * Compares all reads.
   *
   * @param dropIn a connection that is Evenkey's
   * @param what names the run, in failures
   */
  static void compare(
      Connection plain, Connection dropIn, SpreadTable table, List<TableIndex> indexes, String what)
      throws IOException {
    ReadingPaths paths = new ReadingPaths(plain, dropIn, table, what);
    paths.scan();
    paths.compareTable();
    for (TableIndex index : indexes) {
      paths.compare(index);
    }
  }

  private void scan() throws IOException {
    try (Table stored = plain.getTable(table.generation());
        ResultScanner rows = stored.getScanner(new Scan())) {
      for (Result row : rows) {
        all.add(Reading.of(Reading.LAYOUT, Reading.LAYOUT.logical(row.getRow()), row));
      }
    }
    all.sort(Reading.by(Reading.LAYOUT));
  }

  private List<Reading> of(Layout layout, Predicate<Reading> wanted) {
    return all.stream().filter(wanted).sorted(Reading.by(layout)).toList();
  }

  private void compareTable() throws IOException {
    compare(table.select(), all);
    compare(
        table.select().where("device = 'dev1' and ts >= 10"),
        of(Reading.LAYOUT, r -> r.device().equals("dev1") && r.ts() >= 10));
    Selection some = table.select().where("ts between 5 and 20").anyOrder();
    assertThat(read(some))
        .as(what)
        .containsExactlyInAnyOrderElementsOf(of(Reading.LAYOUT, r -> r.ts() >= 5 && r.ts() <= 20));
  }

  private void compare(TableIndex index) throws IOException {
    Layout layout = IndexKey.of(Reading.LAYOUT, index).index().layout();
    List<String> columns = index.columns().stream().map(IndexColumn::field).toList();
    Predicate<Reading> has =
        r ->
            columns.stream().allMatch(column -> r.text(column) != null)
                && (index.where().isEmpty() || "n2".compareTo(String.valueOf(r.note())) <= 0);
    List<Reading> ofIndex = of(layout, has);
    compare(table.select().by(index.name()), ofIndex);
    compare(
        table.select().by(index.name()).where("device in ('dev0', 'dev2') and ts < 30"),
        of(layout, has.and(r -> List.of("dev0", "dev2").contains(r.device()) && r.ts() < 30)));
    for (String column : columns) {
      // By the index that costs least.
      Selection chosen = table.select().where(column + " = '" + column.charAt(0) + "3'");
      assertThat(read(chosen))
          .as(what)
          .containsExactlyInAnyOrderElementsOf(
              of(layout, r -> (column.charAt(0) + "3").equals(r.text(column))));
    }
    // From settled entries, if rows are append-only.
    assertThat(read(table.select().by(index.name()).column(Reading.FAMILY, Reading.NOTE)))
        .as(what + " " + index.name())
        .isEqualTo(
            ofIndex.stream()
                .filter(r -> r.note() != null)
                .map(r -> new Reading(r.device(), r.ts(), null, r.note()))
                .toList());
    compareTable(index, layout, ofIndex);
  }

  /** The index opened as a table. */
  private void compareTable(TableIndex index, Layout layout, List<Reading> rows)
      throws IOException {
    TableName name = TableName.valueOf(index.tableName(table.name().getNameAsString()));
    List<Reading> read = new ArrayList<>();
    try (Table opened = dropIn.getTable(name);
        ResultScanner scanner = opened.getScanner(new Scan())) {
      scanner.forEach(row -> read.add(Reading.of(layout, row.getRow(), row)));
    }
    assertThat(read).as(what + " " + index.name() + " as a table").isEqualTo(rows);
  }

  private void compare(Selection selection, List<Reading> rows) throws IOException {
    assertThat(read(selection)).as(what).isEqualTo(rows);
    List<Reading> down = new ArrayList<>(rows);
    Collections.reverse(down);
    assertThat(read(selection.reversed().limit(PAGE)))
        .as(what)
        .isEqualTo(down.subList(0, Math.min(PAGE, down.size())));
    List<Reading> inPages = new ArrayList<>();
    ReadCursor cursor = null;
    int before;
    do {
      before = inPages.size();
      Selection page = cursor == null ? selection : selection.after(cursor);
      try (KeyedRows some = page.limit(PAGE).open()) {
        for (KeyedRow row : some) {
          inPages.add(Reading.of(row));
        }
        cursor = some.cursor() == null ? cursor : some.cursor();
      }
    } while (inPages.size() - before == PAGE);
    assertThat(inPages).as(what + " in pages").isEqualTo(rows);
  }

  private static List<Reading> read(Selection selection) throws IOException {
    List<Reading> read = new ArrayList<>();
    try (KeyedRows rows = selection.open()) {
      for (KeyedRow row : rows) {
        read.add(Reading.of(row));
      }
    }
    return read;
  }
}
