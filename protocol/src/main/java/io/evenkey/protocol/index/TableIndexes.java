/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import io.evenkey.layout.message.Quoted;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * All indexes of a table, with a version that grows with every change. {@link #toString} is the
 * line that the table's descriptor stores: {@code format=1 version=3} and, after a semicolon each,
 * the indexes as {@link TableIndex} spells them; empty for a table that never had an index.
 * Immutable and thread-safe; compared by value.
 *
 * @param version grows with every change; 0 if the table never had an index
 * @param list the indexes in the order in which they were added
 */
public record TableIndexes(long version, List<TableIndex> list) {
  /** The indexes of a table that never had one. */
  public static final TableIndexes NONE = new TableIndexes(0, List.of());

  /** The version of the text that this code writes, and the newest that it reads. */
  static final int FORMAT = 1;

  /** Far more than a table can have without all writes being slow. */
  static final int MOST = 32;

  /** Checks the version, the number of indexes, and that no two have one name. */
  public TableIndexes {
    list = List.copyOf(list);
    if (version < 0 || version == 0 && !list.isEmpty() || list.size() > MOST) {
      throw new IndexException(
          "indexes of a table out of range",
          "version=" + version + " indexes=" + list.size() + " most=" + MOST,
          "drop indexes that no query needs");
    }
    Set<String> names = new HashSet<>();
    for (TableIndex index : list) {
      if (!names.add(index.name())) {
        throw new IndexException(
            "two indexes of one name", "index=" + index.name(), "name each differently");
      }
    }
  }

  /**
   * Parses the stored line.
   *
   * @throws io.evenkey.layout.text.LayoutException if it is not such a line, or has a later format
   */
  public static TableIndexes parse(String text) {
    return text.isBlank() ? NONE : IndexParser.indexes(text);
  }

  /** Whether the table has no index now. */
  public boolean isEmpty() {
    return list.isEmpty();
  }

  /** Returns the index of a name; empty if there is none. */
  public Optional<TableIndex> get(String name) {
    return list.stream().filter(index -> index.name().equals(name)).findFirst();
  }

  /**
   * Returns the next version, with an index added. An index of the same name is replaced, and the
   * new one keeps the version since which that one belonged to the table.
   */
  public TableIndexes with(TableIndex index) {
    List<TableIndex> next = new ArrayList<>(list);
    int at = positionOf(index.name());
    if (at < 0) {
      next.add(index.since(version + 1));
    } else {
      next.set(at, index.since(list.get(at).since()));
    }
    return checked(new TableIndexes(version + 1, next));
  }

  /**
   * Returns the next version, without an index.
   *
   * @throws IndexException if the table has no index of this name
   */
  public TableIndexes without(String name) {
    List<TableIndex> next = new ArrayList<>(list);
    int at = positionOf(name);
    if (at < 0) {
      throw new IndexException(
          "no such index",
          "index=" + Quoted.name(name) + " indexes=" + String.join(",", names()),
          "use one of these");
    }
    next.remove(at);
    return new TableIndexes(version + 1, next);
  }

  /** The names of the indexes. */
  public List<String> names() {
    return list.stream().map(TableIndex::name).toList();
  }

  /** Returns the text for the registry; empty if the table has no index now. */
  public String recorded() {
    return isEmpty() ? "" : toString();
  }

  /**
   * Returns the next version, in which no index is read until it was compared with the rows: for a
   * table whose rows come from a backup or a snapshot, without their entries. Returns this if that
   * is already so.
   */
  public TableIndexes unverified() {
    if (list.stream().allMatch(index -> index.state() == IndexState.JOINING)) {
      return this;
    }
    return checked(
        new TableIndexes(
            version + 1, list.stream().map(index -> index.in(IndexState.JOINING)).toList()));
  }

  private int positionOf(String name) {
    return names().indexOf(name);
  }

  // What is stored has to be read back, however long the lines are.
  private static TableIndexes checked(TableIndexes indexes) {
    IndexParser.checkLength(indexes.toString());
    return indexes;
  }

  @Override
  public String toString() {
    if (version == 0) {
      return "";
    }
    StringBuilder text = new StringBuilder("format=" + FORMAT + " version=" + version);
    list.forEach(index -> text.append("; ").append(index));
    return text.toString();
  }
}
