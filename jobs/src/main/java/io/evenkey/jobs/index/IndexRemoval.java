/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.internal.registry.Registry;
import io.evenkey.jobs.trace.JobSpan;
import io.evenkey.protocol.index.IndexState;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Drops an index. Readers end first: when all regions refuse requests of clients that may read it,
 * writers stop to write entries, and then its table is deleted. Stateless.
 */
public final class IndexRemoval {
  private IndexRemoval() {}

  /**
   * Drops an index in any state, or goes on with that.
   *
   * @param plain a connection to which rows are what is stored
   * @throws IndexLifeException if there is no such index
   */
  public static void run(
      Connection plain, Registry registry, TableName table, String name, IndexListener listener)
      throws IOException {
    JobSpan.around(
        "DROP_INDEX",
        table,
        () -> {
          drop(plain, registry, table, name, listener);
          return true;
        });
  }

  private static void drop(
      Connection plain, Registry registry, TableName indexed, String name, IndexListener listener)
      throws IOException {
    try (IndexControl control = IndexControl.open(plain, registry, indexed, "drop " + name)) {
      TableIndex index = control.indexes().get(name).orElse(null);
      boolean begun = registry.indexes().get(indexed, name).isPresent();
      EntriesTable.NameHolder table = EntriesTable.find(control, name);
      if (index == null && !begun && table != EntriesTable.NameHolder.OWN) {
        // Says which there are.
        control.existing(name);
      }
      listener.begins(IndexListener.Phase.DROP);
      if (index != null) {
        control.checkGuard();
        control.remove(control.change(index, IndexState.CLOSING));
      }
      // An addition that was killed may have left a record alone, and the name to another table.
      if (index != null || table != EntriesTable.NameHolder.OTHER) {
        EntriesTable.drop(control, name);
      }
      registry.indexes().forget(indexed, name);
    }
  }
}
