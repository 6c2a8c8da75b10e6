/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.layout.Layout;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.protocol.index.IndexKey;
import io.evenkey.protocol.index.TableIndex;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * One index of a table, as a client reads rows through it: an entry may be without its row, so the
 * row is read, and its values are compared with the entry's. Rows and entries are logical keys.
 * Immutable and thread-safe.
 */
public final class IndexReads {
  private final TableName table;
  private final TableIndex stored;
  private final IndexKey key;

  private IndexReads(TableName table, TableIndex stored, IndexKey key) {
    this.table = table;
    this.stored = stored;
    this.key = key;
  }

  /**
   * An index of a table, whether it may be read or not.
   *
   * @param layout the layout of the table's rows
   * @param index one of its indexes
   * @throws io.evenkey.protocol.index.IndexException if it does not fit the table
   */
  static IndexReads of(TableName table, Layout layout, TableIndex index) {
    return new IndexReads(table, index, IndexKey.of(layout, index));
  }

  /**
   * An index that may be read.
   *
   * @param known what the client knows of the table's indexes; null if it has none
   * @param name the index's name, with or without that of the table and a dot before it
   * @throws IndexRefusedException if there is no such index, or it may not be read now
   */
  public static IndexReads of(TableName table, @Nullable IndexWrites known, String name)
      throws IndexRefusedException {
    String begin = table.getNameAsString() + ".";
    String own = name.startsWith(begin) ? name.substring(begin.length()) : name;
    List<IndexReads> all = known == null ? List.of() : known.reads();
    IndexReads index =
        all.stream().filter(read -> read.name().equals(own)).findFirst().orElse(null);
    if (known == null || index == null) {
      throw IndexRefusedException.asKnown(
          table,
          "no such index",
          "index="
              + own
              + " indexes="
              + String.join(",", all.stream().map(IndexReads::name).toList()),
          "read the table by its own key");
    }
    if (!index.stored.state().isRead()) {
      throw IndexRefusedException.asKnown(
          table,
          "index that is not read now",
          "index=" + own + " state=" + index.stored.state(),
          "some rows may be without an entry: read the table by its own key");
    }
    if (!known.isGuarded()) {
      throw IndexRefusedException.asKnown(
          table,
          "index that this client cannot rely on",
          "index=" + own,
          "it needs the guard on all region servers");
    }
    return index;
  }

  /** Why clients may not read the index now; empty if they may. */
  public Optional<String> obstacle(IndexWrites known) {
    if (!stored.state().isRead()) {
      return Optional.of("not read now: state=" + stored.state());
    }
    return known.isGuarded()
        ? Optional.empty()
        : Optional.of("not read: it needs the guard on all region servers");
  }

  /**
   * Why some rows that meet a condition may have no entry; empty if each has one.
   *
   * @param condition on the fields of the index; null for all rows
   */
  public Optional<String> withoutEntries(@Nullable Where condition) {
    return key.withoutEntries(condition);
  }

  IndexKey key() {
    return key;
  }

  /**
   * Checks that the index is still there, the same, and may be read.
   *
   * @throws IndexRefusedException if not
   */
  public void check(@Nullable IndexWrites known) throws IndexRefusedException {
    TableIndex now = of(table, known, name()).stored;
    if (!now.equals(stored)) {
      throw IndexRefusedException.of(
          table, "index was replaced while it was read", "index=" + name(), "begin the read again");
    }
  }

  /** The index's name among those of the table. */
  public String name() {
    return key.index().name();
  }

  /** The layout of its keys, which has all fields of the table's key. */
  public Layout layout() {
    return key.index().layout();
  }

  /** The index, whose layout has all fields of the table's key. */
  public TableIndex index() {
    return key.index();
  }

  /** The table of the entries. */
  public TableName entries() {
    return TableName.valueOf(key.index().tableName(table.getNameAsString()));
  }

  /**
   * The logical key of the row of an entry.
   *
   * @throws io.evenkey.layout.text.RowException if it is no entry of the index
   */
  public byte[] row(byte[] entry) {
    return key.row(entry);
  }

  /** Whether a row that was read has the values of an entry; an empty result has none. */
  public boolean matches(byte[] entry, Result row) {
    if (row.isEmpty()) {
      return false;
    }
    Optional<byte[]> own;
    try {
      own =
          key.entry(
              row.getRow(), column -> row.getValue(column.familyBytes(), column.qualifierBytes()));
    } catch (LayoutException e) {
      // Changed by something that does not know the index, to no value of the field.
      return false;
    }
    return own.isPresent() && Arrays.equals(own.get(), entry);
  }
}
