/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.key.KeyForm;
import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.message.Suggestion;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.layout.spread.Spread;
import io.evenkey.layout.text.SyntaxException;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether an index fits its table, and whether a table can get another row key from its key and
 * columns, which is the same question. Immutable and thread-safe.
 */
public final class IndexFit {
  private final Layout table;
  private final TableIndex index;

  /** Names the index in messages; empty for a row key. */
  private final String subject;

  private IndexFit(Layout table, TableIndex index, String subject) {
    this.table = table;
    this.index = index;
    this.subject = subject;
  }

  /**
   * Returns the index with those fields of the table's key appended that its layout lacks, in key
   * order. So no two rows share an entry, and every entry names its row. An index that has all
   * fields is returned unchanged.
   *
   * @throws IndexException if the table cannot have the index; says why and what to change
   */
  public static TableIndex complete(Layout table, TableIndex index) {
    IndexFit fit = new IndexFit(table, index, "index=" + index.name() + " ");
    fit.checkTable();
    fit.checkOrder();
    return fit.completed();
  }

  /**
   * Checks an index against a layout that rows of the table will have instead of the present one.
   *
   * @throws IndexException if rows of the table cannot have it
   */
  static TableIndex completeKey(Layout table, TableIndex next) {
    IndexFit fit = new IndexFit(table, next, "");
    fit.checkKeys();
    return fit.completed();
  }

  private TableIndex completed() {
    checkColumns();
    for (Field field : index.layout().fields()) {
      checkField(field);
    }
    List<String> parts = new ArrayList<>(List.of(index.layout().toString()));
    for (Field field : table.fields()) {
      if (index.layout().key().indexOf(field.name()) < 0) {
        parts.add(field.toString());
      }
    }
    TableIndex whole = parts.size() == 1 ? index : index.with(completed(String.join(" + ", parts)));
    if (!whole.where().isEmpty()) {
      Where.parse(whole.layout().key(), whole.where());
    }
    return whole;
  }

  private Layout completed(String line) {
    try {
      return Layout.parse(line);
    } catch (SyntaxException e) {
      throw refused(
          "rest of the table's key cannot be appended to the layout",
          "problem=" + Quoted.literal(e.problem()),
          "name the other fields of the key in the layout");
    }
  }

  private void checkTable() {
    if (table.key().allowsNull()) {
      throw refused(
          "table with the keys of Phoenix has no indexes",
          "table_layout=" + Quoted.literal(table.toString()),
          "an index has no entry for a key with nulls; such a table has Phoenix's own indexes");
    }
    if (table.spread().isRandom()) {
      throw refused(
          "table whose salt does not depend on the key has no indexes",
          "table_layout=" + Quoted.literal(table.toString()),
          "a row written twice is there twice; migrate to a salt without random or rotating");
    }
  }

  private void checkKeys() {
    for (Layout layout : List.of(table, index.layout())) {
      String line = "layout=" + Quoted.literal(layout.toString());
      if (layout.key().form() == KeyForm.PHOENIX) {
        throw refused(
            "row key cannot be changed to or from Phoenix's form",
            line,
            "migrate between Phoenix's salt and salt(N) first, with the same fields");
      }
      if (layout.spread().isRandom()) {
        throw refused(
            "row key cannot be changed to or from one whose salt does not depend on it",
            line,
            "its rows cannot be found by their keys; use a salt without random or rotating");
      }
    }
  }

  private void checkOrder() {
    Layout layout = index.layout();
    String line = "layout=" + Quoted.literal(layout.toString());
    Prefix prefix = layout.spread().prefix();
    if (layout.key().form() == KeyForm.PHOENIX) {
      throw refused("index with keys of Phoenix", line, "use salt(N) instead of phoenix_salt");
    }
    if (layout.spread().isRandom()) {
      throw refused(
          "index whose salt does not depend on the key",
          line,
          "the entry of a row could not be found; use a salt without random or rotating");
    }
    if (layout.key().isReversed()) {
      throw refused(
          "index without an order: a part of its key is reversed",
          line,
          "leave reverse(…) out, and put salt(N) in front");
    }
    if (prefix != null && prefix.count() > Spread.MAX_FAN_OUT) {
      throw refused(
          "index without an order: its prefix has more than " + Spread.MAX_FAN_OUT + " values",
          line,
          "use salt(N), or fewer characters of the hash");
    }
  }

  private void checkColumns() {
    if (index.protocol().changesRows() && index.columns().isEmpty()) {
      throw refused(
          "index of mutable rows without a column",
          "layout=" + Quoted.literal(index.layout().toString()),
          "a row's key never changes: add the index as one of events");
    }
    for (IndexColumn column : index.columns()) {
      String field = "field=" + Quoted.name(column.field());
      if (index.layout().key().indexOf(column.field()) < 0) {
        throw refused(
            "column for a field that the layout does not have",
            field + " layout=" + Quoted.literal(index.layout().toString()),
            "name the field in the layout"
                + (subject.isEmpty() ? "" : ", or copy the column as a covering one"));
      }
      if (table.key().indexOf(column.field()) >= 0) {
        throw refused(
            "column for a field of the table's key",
            field + " column=" + column.column(),
            "give the field of the column another name");
      }
    }
  }

  private void checkField(Field field) {
    String name = "field=" + Quoted.name(field.name());
    IndexColumn column = index.column(field.name()).orElse(null);
    if (column != null) {
      if (!column.form().fits(field.type())) {
        throw refused(
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
          "field of the table's key with another type",
          name + " type=" + field.type() + " table_type=" + own.type(),
          "give it the type that it has in the table; only its direction may differ");
    }
  }

  private IndexException refused(String rule, String values, String remedy) {
    return new IndexException(rule, subject + values, remedy);
  }
}
