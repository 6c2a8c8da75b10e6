/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.descriptor;

import io.evenkey.layout.Layout;
import io.evenkey.layout.text.SyntaxException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The layout under which a table's rows are written, kept in the table's own descriptor: set in the
 * same step that creates the table, and carried along by snapshots, clones and replication.
 *
 * <p>Two descriptor values hold it: {@value #LAYOUT} is the line, {@value #FORMAT} the version of
 * the meaning of lines. Stateless.
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

  /** The version this code writes, and the newest it understands. */
  static final int CURRENT_FORMAT = 1;

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
    if (!String.valueOf(CURRENT_FORMAT).equals(format)) {
      throw unknown(table.getTableName(), String.valueOf(format));
    }
    return parse(table.getTableName(), line);
  }

  /**
   * The layout of a line that was stored with a table.
   *
   * @throws TableLayoutException if this version does not understand it
   */
  public static Layout parse(TableName table, String line) throws TableLayoutException {
    if (line.startsWith("format=")) {
      // As the guard answers for a table of another version.
      throw unknown(table, line.substring("format=".length(), line.indexOf(' ')));
    }
    try {
      return Layout.parse(line);
    } catch (SyntaxException e) {
      throw new TableLayoutException(
          table,
          "layout in the table's descriptor cannot be read: " + LAYOUT + "=" + line,
          "restore the line the table was created with; " + e.problem());
    }
  }

  private static TableLayoutException unknown(TableName table, String format) {
    return new TableLayoutException(
        table,
        "layout of an unknown version: found=" + format + " understood=" + CURRENT_FORMAT,
        "use the version of Evenkey that the table was created with, or a later one");
  }

  /** The same table with a layout. */
  public static TableDescriptor with(TableDescriptor table, Layout layout) {
    return TableDescriptorBuilder.newBuilder(table)
        .setValue(LAYOUT, layout.toString())
        .setValue(FORMAT, String.valueOf(CURRENT_FORMAT))
        .build();
  }
}
