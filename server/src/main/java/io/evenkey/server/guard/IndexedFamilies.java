/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.protocol.index.ColumnName;
import io.evenkey.protocol.index.TableIndex;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * The families of a table that decide how long rows are in its indexes, or that have entries.
 *
 * @param isOfIndex whether the table has the entries of an index
 * @param isOfAll whether an index has each row, or is of a later version
 * @param names of families of columns of indexes
 */
record IndexedFamilies(boolean isOfIndex, boolean isOfAll, Set<String> names) {
  static IndexedFamilies of(TableDescriptor table) {
    TableText text = TableText.of(table);
    List<TableIndex> indexes = text.understoodIndexes();
    boolean isOfAll =
        text.hasIndexes()
            && (indexes.isEmpty() || indexes.stream().anyMatch(index -> index.columns().isEmpty()));
    Set<String> names = new HashSet<>();
    for (TableIndex index : indexes) {
      index.columnNames().stream().map(ColumnName::family).forEach(names::add);
    }
    return new IndexedFamilies(text.indexedTable() != null, isOfAll, names);
  }

  boolean has(ColumnFamilyDescriptor family) {
    return isOfIndex || isOfAll || names.contains(family.getNameAsString());
  }
}
