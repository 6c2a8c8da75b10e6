/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.guard;

import io.evenkey.protocol.index.TableIndexes;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The indexes of a table in its descriptor: the table's name, a blank, and the text of {@link
 * TableIndexes}. The clone of a snapshot has the name of the table that the snapshot is of, so it
 * has no indexes. Stateless.
 */
public final class DescribedIndexes {
  /** The key in the table's descriptor. */
  public static final String DESCRIPTOR_KEY = "EVENKEY_INDEXES";

  /** The key in the descriptor of an index's table of the name of the indexed table. */
  public static final String INDEXED_TABLE_KEY = "EVENKEY_INDEX_OF";

  /**
   * The key in the descriptor of an index's table of its own name: that of the indexed table, a dot
   * and that of the index. A copy of it has another name. Tables of earlier snapshots do not have
   * it.
   */
  public static final String ENTRIES_TABLE_KEY = "EVENKEY_INDEX_ENTRIES";

  /**
   * The value of {@code EVENKEY_FORMAT} in the descriptor of a table with indexes. Clients and
   * servers that know of no indexes refuse a table of this format, and write no row without its
   * entries.
   */
  public static final String FORMAT = "2";

  private DescribedIndexes() {}

  /** The value for the descriptor of a table of HBase's. */
  public static String valueFor(String table, TableIndexes indexes) {
    return table + " " + indexes;
  }

  /**
   * The text of a table's own indexes; empty if its descriptor has none, or those of a table of
   * which it is a clone.
   *
   * @param value reads the value of a key of the table's descriptor; null if it has none
   */
  public static String textFor(String table, UnaryOperator<@Nullable String> value) {
    String described = value.apply(DESCRIPTOR_KEY);
    String begin = table + " ";
    return described != null && described.startsWith(begin)
        ? described.substring(begin.length())
        : "";
  }
}
