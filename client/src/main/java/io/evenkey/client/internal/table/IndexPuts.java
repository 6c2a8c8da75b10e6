/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.index.EntryPut;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;

/**
 * The entries of a batch that one index gets.
 *
 * @param index the table of the index
 * @param actions for each entry the place of its action in the batch
 * @param puts the entries
 */
record IndexPuts(TableName index, List<Integer> actions, List<Put> puts) {
  /**
   * Sorts entries by their index.
   *
   * @param writes the actions of the batch; those that cannot be made have no entries
   */
  static Collection<IndexPuts> of(List<PlannedWrite> writes) {
    Map<TableName, IndexPuts> byIndex = new LinkedHashMap<>();
    for (int action = 0; action < writes.size(); action++) {
      for (EntryPut entry : writes.get(action).write().entries()) {
        IndexPuts puts =
            byIndex.computeIfAbsent(
                entry.index(), index -> new IndexPuts(index, new ArrayList<>(), new ArrayList<>()));
        puts.actions.add(action);
        puts.puts.add(entry.put());
      }
    }
    return byIndex.values();
  }
}
