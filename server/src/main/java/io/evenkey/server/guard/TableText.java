/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.protocol.guard.DescribedIndexes;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.KeyHistory;
import io.evenkey.protocol.index.IndexState;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.protocol.index.TableIndexes;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The guard's values in the descriptor of a table, not parsed yet. Immutable.
 *
 * @param table the table's name
 * @param layout the layout's line; null if the table has none
 * @param state the {@link GuardState}; null if there is none
 * @param step the other layout's line while a step is taken; null if there is none
 * @param indexes the text of the table's own indexes; empty if it has none
 * @param rawReads {@value #RAW_READS}; null if there is none
 * @param rawWrites {@value #RAW_WRITES}; null if there is none
 * @param keyChanged the value of {@link KeyHistory#DESCRIPTOR_KEY}; null if there is none
 * @param indexedTable the table whose index this one has the entries of; null if it is of no index
 * @param arrived the value of {@link GuardState#ARRIVED_KEY}; null if there is none
 * @param stepped the value of {@link GuardState#STEPPED_KEY}; null if there is none
 */
record TableText(
    String table,
    @Nullable String layout,
    @Nullable String state,
    @Nullable String step,
    String indexes,
    @Nullable String rawReads,
    @Nullable String rawWrites,
    @Nullable String keyChanged,
    @Nullable String indexedTable,
    @Nullable String arrived,
    @Nullable String stepped) {
  static final String LAYOUT = "EVENKEY_LAYOUT";

  /** The version of the language of the layout's line. */
  static final String FORMAT = "EVENKEY_FORMAT";

  private static final String CURRENT = "1";

  /** Whether requests that name no layout may read: {@code allow}, the default, or refuse. */
  static final String RAW_READS = "EVENKEY_RAW_READS";

  /**
   * Whether requests that name no layout may write: {@code checked}, the default, if their rows are
   * of the layout; {@code allow}; or {@code refuse}.
   */
  static final String RAW_WRITES = "EVENKEY_RAW_WRITES";

  static TableText of(TableDescriptor table) {
    return new TableText(
        table.getTableName().getNameAsString(),
        layout(table),
        state(table),
        table.getValue(GuardState.STEP_KEY),
        DescribedIndexes.textFor(table.getTableName().getNameAsString(), table::getValue),
        table.getValue(RAW_READS),
        table.getValue(RAW_WRITES),
        table.getValue(KeyHistory.DESCRIPTOR_KEY),
        indexedTable(table.getValue(DescribedIndexes.INDEXED_TABLE_KEY)),
        table.getValue(GuardState.ARRIVED_KEY),
        table.getValue(GuardState.STEPPED_KEY));
  }

  /** Whether the table has indexes now, or some that this version does not understand. */
  boolean hasIndexes() {
    try {
      return !TableIndexes.parse(indexes).isEmpty();
    } catch (RuntimeException e) {
      return true;
    }
  }

  /**
   * Whether each row that is written needs an entry: the table has an index that is read, or is
   * being filled.
   */
  boolean needsEntries() {
    try {
      return TableIndexes.parse(indexes).list().stream()
          .anyMatch(index -> index.state() != IndexState.JOINING);
    } catch (RuntimeException e) {
      return true;
    }
  }

  /** Returns these values with other indexes. */
  TableText withIndexes(String text) {
    return new TableText(
        table,
        layout,
        state,
        step,
        text,
        rawReads,
        rawWrites,
        keyChanged,
        indexedTable,
        arrived,
        stepped);
  }

  /** The table's own indexes; empty if they are of a later version. */
  List<TableIndex> understoodIndexes() {
    try {
      return TableIndexes.parse(indexes).list();
    } catch (RuntimeException e) {
      return List.of();
    }
  }

  /** The value of the table's own state; null if there is none, or it is that of another table. */
  static @Nullable String state(TableDescriptor table) {
    return GuardState.valueFor(table.getTableName().getNameAsString(), table::getValue);
  }

  // What is no table's name is of no index, and protects nothing.
  private static @Nullable String indexedTable(@Nullable String name) {
    try {
      return name == null ? null : TableName.valueOf(name).getNameAsString();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  // A line of a later version of the language cannot be parsed with what it begins with here.
  private static @Nullable String layout(TableDescriptor table) {
    String line = table.getValue(LAYOUT);
    String format = table.getValue(FORMAT);
    boolean known = CURRENT.equals(format) || DescribedIndexes.FORMAT.equals(format);
    return line == null || known ? line : "format=" + format + " " + line;
  }
}
