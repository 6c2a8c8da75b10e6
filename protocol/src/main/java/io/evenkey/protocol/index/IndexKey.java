/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.text.RowException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Computes the key of a row's entry from the row's key and columns, and the row's key from an
 * entry's key.
 *
 * <pre>{@code
 * IndexKey keys = IndexKey.of(layout, index);
 * Optional<byte[]> entry = keys.entry(logicalKey, column -> value);
 * byte[] row = keys.row(entry.orElseThrow());
 * }</pre>
 *
 * <p>All keys here are logical, so the spreads of the table and of the index can change without
 * changing an entry. Immutable and thread-safe.
 */
public final class IndexKey {
  private final TableIndex index;
  private final Key table;
  private final Key key;

  /** For each field of the index, its position in the table's key; -1 for one of a column. */
  private final int[] inTable;

  /** For each field of the index, the column from which it is taken; null for one of the key. */
  private final @Nullable IndexColumn[] columns;

  /** Null if all rows have entries. */
  private final @Nullable Where where;

  // The name is not shown.
  private static final String NEXT_KEY = "next_key";

  private IndexKey(Layout table, TableIndex index) {
    this.index = index;
    this.table = table.key();
    this.key = index.layout().key();
    List<Field> fields = key.fields();
    this.where = index.where().isEmpty() ? null : Where.parse(key, index.where());
    this.inTable = new int[fields.size()];
    this.columns = new @Nullable IndexColumn[fields.size()];
    for (int i = 0; i < inTable.length; i++) {
      String name = fields.get(i).name();
      inTable[i] = this.table.indexOf(name);
      columns[i] = index.column(name).orElse(null);
    }
  }

  /**
   * Returns the keys of an index.
   *
   * @param table the layout of the table's rows
   * @throws IndexException if the table cannot have the index
   */
  public static IndexKey of(Layout table, TableIndex index) {
    return new IndexKey(table, IndexFit.complete(table, index));
  }

  /**
   * Returns the keys under which a migration to another row key stores the rows of a table. They
   * are computed from key and columns as those of an index are. Fields of the old key that the new
   * layout does not name are appended.
   *
   * @param table the layout of the table's rows
   * @param next the layout of the new keys
   * @param columns the fields that come from columns
   * @throws IndexException if rows of the table cannot have such keys
   */
  public static IndexKey ofNextKey(Layout table, Layout next, List<IndexColumn> columns) {
    TableIndex index = TableIndex.of(NEXT_KEY, IndexProtocol.EVENTS, next, columns, List.of());
    return new IndexKey(table, IndexFit.completeKey(table, index));
  }

  /** The index, completed: its layout has all fields of the table's key. */
  public TableIndex index() {
    return index;
  }

  /**
   * Returns the key of a row's entry; empty if the row has none, because it lacks an indexed column
   * or does not meet the index's condition.
   *
   * @param row the row's logical key
   * @param column returns the value of a column, which is not changed; null if the row does not
   *     have it
   * @throws RowException if {@code row} is not a key of the table's layout
   * @throws io.evenkey.layout.field.ValueException if a column's value is not one of its field, or
   *     one that a key of the index cannot hold
   */
  public Optional<byte[]> entry(byte[] row, Function<ColumnName, byte @Nullable []> column) {
    @Nullable Object[] ofTable = readExactly(row);
    @Nullable Object[] values = new Object[inTable.length];
    for (int i = 0; i < values.length; i++) {
      IndexColumn from = columns[i];
      if (from == null) {
        values[i] = ofTable[inTable[i]];
        continue;
      }
      byte[] bytes = column.apply(from.column());
      if (bytes == null) {
        return Optional.empty();
      }
      values[i] = from.form().read(key.fields().get(i), bytes);
    }
    boolean wanted = where == null || where.matches(field -> values[key.indexOf(field)]);
    return wanted ? Optional.of(written(key, values)) : Optional.empty();
  }

  /**
   * Returns why some rows that meet a condition may have no entry; empty if each has one, so that
   * the index can serve the condition.
   *
   * @param condition a condition on the fields of the index; null for all rows
   */
  public Optional<String> withoutEntries(@Nullable Where condition) {
    // No comparison holds for a row without the column.
    String free =
        index.columns().stream()
            .filter(column -> condition == null || !condition.fields().contains(column.field()))
            .map(column -> column.column() + " (" + column.field() + ")")
            .collect(Collectors.joining(", "));
    if (!free.isEmpty()) {
      return Optional.of("rows without " + free + " have no entries");
    }
    return isMetBy(condition)
        ? Optional.empty()
        : Optional.of("only rows with " + index.where() + " have entries");
  }

  private boolean isMetBy(@Nullable Where condition) {
    return where == null || condition != null && condition.implies(where);
  }

  /**
   * Returns the logical key of an entry's row.
   *
   * @param entry the entry's logical key
   * @throws RowException if {@code entry} is not a key of the index
   */
  public byte[] row(byte[] entry) {
    @Nullable Object[] values = key.read(entry);
    @Nullable Object[] ofTable = new Object[table.fields().size()];
    for (int i = 0; i < values.length; i++) {
      if (inTable[i] >= 0) {
        ofTable[inTable[i]] = values[i];
      }
    }
    return written(table, ofTable);
  }

  // Some keys can be read that no client writes: their row would not be found by its entry.
  private @Nullable Object[] readExactly(byte[] row) {
    @Nullable Object[] values = table.read(row);
    int wrong = Arrays.mismatch(row, written(table, values));
    if (wrong >= 0) {
      throw new RowException("key is not in the form in which its values are written", row, wrong);
    }
    return values;
  }

  private static byte[] written(Key key, @Nullable Object[] values) {
    KeyBuffer out = new KeyBuffer(64);
    key.write(values, out);
    return out.toArray();
  }

  @Override
  public String toString() {
    return index.toString();
  }
}
