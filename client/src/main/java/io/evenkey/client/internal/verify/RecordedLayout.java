/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.verify;

import io.evenkey.client.internal.guard.GuardQuestion;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.protocol.guard.GuardState;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * A descriptor with a layout that an existing table did not have before. The guards of its open
 * regions read it again when they are asked for its revision. Immutable.
 *
 * @param table the descriptor
 * @param revision the revision of the guard's state in it
 */
record RecordedLayout(TableDescriptor table, long revision) {
  /** A descriptor with the next revision, without which the master's guard refuses the layout. */
  static RecordedLayout of(TableDescriptor table) {
    GuardState next = TableGuard.state(table).next();
    return new RecordedLayout(TableGuard.with(table, next), next.revision());
  }

  /** Stores it; the guards of all open regions act by it on return. */
  void store(Connection plain, Admin admin) throws IOException {
    TableGuard.store(admin, table);
    try (Table open = plain.getTable(table.getTableName())) {
      for (RegionInfo region : admin.getRegions(table.getTableName())) {
        open.get(GuardQuestion.to(region, revision));
      }
    }
  }
}
