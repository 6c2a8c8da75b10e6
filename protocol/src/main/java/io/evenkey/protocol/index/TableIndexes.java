/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import io.evenkey.layout.text.Quoted;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * All indexes of a table. Immutable; compared by value. {@link #toString} is the text that is
 * stored, one line: {@code format=1 version=3} and, after a semicolon each, the indexes as {@link
 * TableIndex} spells them. That of a table that never had an index is empty.
 *
 * @param version grows with every change; 0 if there never was an index
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
   * The indexes of a text made by {@link #toString}.
   *
   * @throws io.evenkey.layout.text.LayoutException if it is none, or of a later format
   */
  public static TableIndexes parse(String text) {
    return text.isBlank() ? NONE : IndexParser.indexes(text);
  }

  /** Whether there is no index now. */
  public boolean isEmpty() {
    return list.isEmpty();
  }

  /** The index of a name. */
  public Optional<TableIndex> get(String name) {
    return list.stream().filter(index -> index.name().equals(name)).findFirst();
  }

  /**
   * The next version, with one more index, or with this one instead of the one of its name; then it
   * is of the table since the same version as that one.
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
   * The next version, without an index.
   *
   * @throws IndexException if there is none of this name
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

  /** The text for the registry, which is empty if there is no index now. */
  public String recorded() {
    return isEmpty() ? "" : toString();
  }

  /**
   * The next version, in which no index is read until it is compared with the rows: for a table
   * whose rows come from a backup or a snapshot, without their entries. The same if that is so now.
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
