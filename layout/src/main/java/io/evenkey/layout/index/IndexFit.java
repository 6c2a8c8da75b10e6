/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.index;

import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.key.KeyForm;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.layout.spread.Spread;
import io.evenkey.layout.text.Quoted;
import io.evenkey.layout.text.Suggestion;
import io.evenkey.layout.text.SyntaxException;
import java.util.ArrayList;
import java.util.List;

/** Whether an index fits its table, by their layouts. Stateless. */
public final class IndexFit {
  private IndexFit() {}

  /**
   * The index with those fields of the table's key appended to its layout that it does not have
   * yet, in the order of the key. So no two rows have one entry, and an entry names its row. An
   * index with all fields is returned as it is.
   *
   * @throws IndexException if the table cannot have the index
   */
  public static TableIndex complete(Layout table, TableIndex index) {
    checkTable(table, index);
    checkOrder(index);
    checkColumns(table, index);
    for (Field field : index.layout().fields()) {
      checkField(table, index, field);
    }
    List<String> parts = new ArrayList<>(List.of(index.layout().toString()));
    for (Field field : table.fields()) {
      if (index.layout().key().indexOf(field.name()) < 0) {
        parts.add(field.toString());
      }
    }
    return checked(
        parts.size() == 1 ? index : index.with(completed(index, String.join(" + ", parts))));
  }

  private static TableIndex checked(TableIndex index) {
    if (!index.where().isEmpty()) {
      Where.parse(index.layout().key(), index.where());
    }
    return index;
  }

  private static Layout completed(TableIndex index, String line) {
    try {
      return Layout.parse(line);
    } catch (SyntaxException e) {
      throw refused(
          index,
          "rest of the table's key cannot follow the index's layout",
          "problem=" + Quoted.literal(e.problem()),
          "name the other fields of the key in the layout");
    }
  }

  private static void checkTable(Layout table, TableIndex index) {
    if (table.key().allowsNull()) {
      throw refused(
          index,
          "table with the keys of Phoenix has no indexes",
          "table_layout=" + Quoted.literal(table.toString()),
          "an index has no entry for a key with nulls; such a table has Phoenix's own indexes");
    }
    if (table.spread().isFree()) {
      throw refused(
          index,
          "table whose salt does not depend on the key has no indexes",
          "table_layout=" + Quoted.literal(table.toString()),
          "a row written twice is there twice; migrate to a salt without random or rotating");
    }
  }

  private static void checkOrder(TableIndex index) {
    Layout layout = index.layout();
    String line = "layout=" + Quoted.literal(layout.toString());
    Prefix prefix = layout.spread().prefix();
    if (layout.key().form() == KeyForm.PHOENIX) {
      throw refused(
          index, "index with keys of Phoenix", line, "use salt(N) in place of phoenix_salt");
    }
    if (layout.spread().isFree()) {
      throw refused(
          index,
          "index whose salt does not depend on the key",
          line,
          "the entry of a row could not be found; use a salt without random or rotating");
    }
    if (layout.key().isReversed()) {
      throw refused(
          index,
          "index without an order: a part of its key is reversed",
          line,
          "leave reverse(…) out, and put salt(N) in front");
    }
    if (prefix != null && prefix.count() > Spread.MAX_FAN_OUT) {
      throw refused(
          index,
          "index without an order: its prefix has more than " + Spread.MAX_FAN_OUT + " values",
          line,
          "use salt(N), or fewer characters of the hash");
    }
  }

  private static void checkColumns(Layout table, TableIndex index) {
    if (index.protocol() == IndexProtocol.MUTABLE && index.columns().isEmpty()) {
      throw refused(
          index,
          "index of mutable rows without a column",
          "layout=" + Quoted.literal(index.layout().toString()),
          "the key of a row does not change: add the index without --mutable");
    }
    for (IndexColumn column : index.columns()) {
      String field = "field=" + Quoted.name(column.field());
      if (index.layout().key().indexOf(column.field()) < 0) {
        throw refused(
            index,
            "column for a field that the index's layout does not have",
            field + " layout=" + Quoted.literal(index.layout().toString()),
            "name the field in the layout, or copy the column as a covering one");
      }
      if (table.key().indexOf(column.field()) >= 0) {
        throw refused(
            index,
            "column for a field of the table's key",
            field + " column=" + column.column(),
            "give the field of the column another name");
      }
    }
  }

  private static void checkField(Layout table, TableIndex index, Field field) {
    String name = "field=" + Quoted.name(field.name());
    IndexColumn column = index.column(field.name()).orElse(null);
    if (column != null) {
      if (!column.form().fits(field.type())) {
        throw refused(
            index,
            "column of a form that the field cannot hold",
            name + " type=" + field.type() + " form=" + column.form(),
            "use text, or a field of a number or a timestamp");
      }
      return;
    }
    int at = table.key().indexOf(field.name());
    if (at < 0) {
      List<String> known = table.fields().stream().map(Field::name).toList();
      throw refused(
          index,
          "field that is neither of the table's key nor from a column",
          name + " key=" + String.join(",", known),
          "say from which column it is taken, "
              + Quoted.name(field.name())
              + "=family:qualifier"
              + Suggestion.closest(field.name(), known)
                  .map(closest -> "; did you mean " + Quoted.name(closest) + "?")
                  .orElse(""));
    }
    Field own = table.fields().get(at);
    if (!own.type().equals(field.type())) {
      throw refused(
          index,
          "field of the table's key with another type",
          name + " type=" + field.type() + " table_type=" + own.type(),
          "give it the type that it has in the table; only its direction may differ");
    }
  }

  private static IndexException refused(
      TableIndex index, String rule, String values, String remedy) {
    return new IndexException(rule, "index=" + index.name() + " " + values, remedy);
  }
}
