/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.descriptor;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.layout.Layout;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.layout.text.SyntaxException;
import io.evenkey.protocol.guard.DescribedIndexes;
import io.evenkey.protocol.guard.KeyHistory;
import io.evenkey.protocol.index.IndexFit;
import io.evenkey.protocol.index.TableIndexes;
import io.evenkey.protocol.naming.DerivedTable;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The layout under which a table's rows are written, kept in the table's own descriptor: set in the
 * same step that creates the table, and carried along by snapshots, clones and replication.
 *
 * <p>Two descriptor values hold it: {@value #LAYOUT} is the line, {@value #FORMAT} the version of
 * the meaning of lines. A table with indexes has another version, and a third value, {@link
 * DescribedIndexes#DESCRIPTOR_KEY}. Stateless.
 */
public final class TableLayout {
  /** The prefix of the keys of all of Evenkey's descriptor values. */
  public static final String OWN = "EVENKEY_";

  /** Descriptor value: the layout line. */
  public static final String LAYOUT = "EVENKEY_LAYOUT";

  /** Descriptor value: the version of the language that {@link #LAYOUT} is written in. */
  public static final String FORMAT = "EVENKEY_FORMAT";

  /** Descriptor value of a generation that has not the table's own name: the table. */
  public static final String TABLE = "EVENKEY_TABLE";

  /** The version that this code writes for tables without indexes. */
  static final int CURRENT_FORMAT = 1;

  private static final String UNDERSTOOD = CURRENT_FORMAT + "," + DescribedIndexes.FORMAT;

  private TableLayout() {}

  /**
   * The layout of a table, or null if it has none.
   *
   * @throws TableLayoutException if it has one that this version does not understand
   */
  public static @Nullable Layout of(TableDescriptor table) throws TableLayoutException {
    String line = table.getValue(LAYOUT);
    if (line == null) {
      return null;
    }
    String format = table.getValue(FORMAT);
    if (!String.valueOf(CURRENT_FORMAT).equals(format) && !DescribedIndexes.FORMAT.equals(format)) {
      throw unknown(table.getTableName(), String.valueOf(format));
    }
    return parse(table.getTableName(), line);
  }

  /** The table whose index a table has the entries of; null if it is not the table of an index. */
  public static @Nullable TableName indexedTable(TableDescriptor table) {
    String name = table.getValue(DescribedIndexes.INDEXED_TABLE_KEY);
    return name == null ? null : indexedTable(table.getTableName(), name);
  }

  /**
   * Finds the indexed table by the name that the table of an index has for it.
   *
   * @param name the name that the table's descriptor has for the indexed table
   * @return null if it was made as a copy of an index's table, which has another name
   */
  public static @Nullable TableName indexedTable(TableName table, String name) {
    return DerivedTable.isOf(name, table.getNameAsString()) ? TableName.valueOf(name) : null;
  }

  /**
   * The layout of a line that was stored with a table.
   *
   * @throws TableLayoutException if this version does not understand it
   */
  public static Layout parse(TableName table, String line) throws TableLayoutException {
    if (line.startsWith("format=" + DescribedIndexes.FORMAT + " ")) {
      throw new TableLayoutException(
          table,
          "table with indexes, of which the guard on a region server does not know",
          "update evenkey-server on all region servers: " + Remedy.SHOW_SERVERS);
    }
    if (line.startsWith("format=")) {
      // As the guard answers for a table of another version.
      throw unknown(table, line.substring("format=".length(), line.indexOf(' ')));
    }
    try {
      return Layout.parse(line);
    } catch (SyntaxException e) {
      throw new TableLayoutException(
          table,
          "layout in the table's descriptor cannot be read",
          LAYOUT + "=" + line,
          "restore the line the table was created with; " + e.problem());
    }
  }

  private static TableLayoutException unknown(TableName table, String format) {
    return new TableLayoutException(
        table,
        "layout of an unknown version",
        "found=" + format + " understood=" + UNDERSTOOD,
        "use the version of Evenkey that the table was created with, or a later one");
  }

  /** Whether a migration has given the table another row key than it was created with. */
  public static boolean isKeyChanged(TableDescriptor table) {
    return keyHistory(table) == KeyHistory.CHANGED;
  }

  /** Whether the table has another row key than it was created with. */
  public static KeyHistory keyHistory(TableDescriptor table) {
    return KeyHistory.of(table.getValue(KeyHistory.DESCRIPTOR_KEY));
  }

  /** Returns the table with a layout that is recorded for rows that it has already. */
  public static TableDescriptor withRecorded(TableDescriptor table, Layout layout) {
    TableDescriptorBuilder with = TableDescriptorBuilder.newBuilder(with(table, layout));
    // Rows that stay as they are have the keys that they had.
    if (table.getValue(LAYOUT) == null && !layout.isPlain()) {
      with.setValue(KeyHistory.DESCRIPTOR_KEY, KeyHistory.RECORDED_VALUE);
    }
    return with.build();
  }

  /** Gives a table a layout whose keys are others than those that the table had. */
  public static TableDescriptor withChangedKey(TableDescriptor table, Layout layout) {
    return TableDescriptorBuilder.newBuilder(with(table, layout))
        .setValue(KeyHistory.DESCRIPTOR_KEY, "true")
        .build();
  }

  /** Gives a table a layout. It keeps its indexes. */
  public static TableDescriptor with(TableDescriptor table, Layout layout) {
    boolean indexed = !indexesText(table).isEmpty();
    return TableDescriptorBuilder.newBuilder(table)
        .setValue(LAYOUT, layout.toString())
        .setValue(FORMAT, indexed ? DescribedIndexes.FORMAT : String.valueOf(CURRENT_FORMAT))
        .build();
  }

  /**
   * The indexes of a table.
   *
   * @throws TableLayoutException if it has some that this version does not understand
   */
  public static TableIndexes indexes(TableDescriptor table) throws TableLayoutException {
    return parseIndexes(table.getTableName(), indexesText(table));
  }

  /** The text of a table's indexes, which this version may not understand; empty for none. */
  public static String indexesText(TableDescriptor table) {
    return DescribedIndexes.textFor(table.getTableName().getNameAsString(), table::getValue);
  }

  /**
   * The indexes of a text that was stored with a table.
   *
   * @throws TableLayoutException if this version does not understand it
   */
  public static TableIndexes parseIndexes(TableName table, String text)
      throws TableLayoutException {
    try {
      return TableIndexes.parse(text);
    } catch (LayoutException e) {
      throw new TableLayoutException(
          table,
          "indexes in the table's descriptor cannot be read",
          DescribedIndexes.DESCRIPTOR_KEY + "=" + text,
          "use the version of Evenkey that made them, or a later one");
    }
  }

  /**
   * Gives a table indexes.
   *
   * @throws TableLayoutException if it has no layout, or an index does not fit it
   */
  public static TableDescriptor with(TableDescriptor table, TableIndexes indexes)
      throws TableLayoutException {
    Layout layout = of(table);
    if (layout == null) {
      throw TableLayoutException.none(table.getTableName());
    }
    checkFit(table.getTableName(), layout, indexes);
    return TableDescriptorBuilder.newBuilder(table)
        .setValue(
            DescribedIndexes.DESCRIPTOR_KEY,
            DescribedIndexes.valueFor(table.getTableName().getNameAsString(), indexes))
        .setValue(
            FORMAT, indexes.isEmpty() ? String.valueOf(CURRENT_FORMAT) : DescribedIndexes.FORMAT)
        .build();
  }

  /**
   * Checks that a table of a layout can have indexes.
   *
   * @throws TableLayoutException if it cannot
   */
  public static void checkFit(TableName table, Layout layout, TableIndexes indexes)
      throws TableLayoutException {
    try {
      indexes.list().forEach(index -> IndexFit.complete(layout, index));
    } catch (LayoutException e) {
      throw new TableLayoutException(
          table, "index does not fit the table", "problem=" + e.getMessage(), "drop the index");
    }
  }
}
