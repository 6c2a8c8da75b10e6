package io.evenkey.client;

import io.evenkey.layout.Layout;
import io.evenkey.layout.text.SyntaxException;
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
  /** Descriptor value: the layout line. */
  public static final String LAYOUT = "EVENKEY_LAYOUT";

  /** Descriptor value: the version of the language that {@link #LAYOUT} is written in. */
  public static final String FORMAT = "EVENKEY_FORMAT";

  /**
   * Descriptor value of a generation that is moved, or was: the next one. Whoever sees it has to
   * ask the registry what to do.
   */
  public static final String MOVE = "EVENKEY_MOVE";

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
      throw new TableLayoutException(
          table.getTableName(),
          "layout of an unknown version: found=" + format + " understood=" + CURRENT_FORMAT,
          "use the version of Evenkey that the table was created with, or a later one");
    }
    try {
      return Layout.parse(line);
    } catch (SyntaxException e) {
      throw new TableLayoutException(
          table.getTableName(),
          "layout in the table's descriptor cannot be read: " + LAYOUT + "=" + line,
          "restore the line the table was created with; " + e.problem());
    }
  }

  /** The same table with a layout. */
  public static TableDescriptor with(TableDescriptor table, Layout layout) {
    return TableDescriptorBuilder.newBuilder(table)
        .setValue(LAYOUT, layout.toString())
        .setValue(FORMAT, String.valueOf(CURRENT_FORMAT))
        .build();
  }
}
