/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.guard;

import io.evenkey.client.internal.guard.GuardQuestion;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * Writers without Evenkey, which a table may let write any row. They know nothing of another layout
 * or of an index, so both wait until these have stopped. As thread-safe as the connection.
 */
public final class OtherWriters {
  /** The remedy when they have stopped. */
  public static final String REMEDY =
      "if they have stopped, " + Remedy.DECLARE_STOPPED + ", after which their rows are checked";

  private static final String RAW_WRITES = "EVENKEY_RAW_WRITES";

  /** The property of a table that lets them write. */
  public static final String ALLOWED = RAW_WRITES + "=allow";

  private final Connection plain;

  public OtherWriters(Connection plain) {
    this.plain = plain;
  }

  /** Whether a table lets them write any row. */
  public static boolean mayWrite(TableDescriptor table) {
    String policy = table.getValue(RAW_WRITES);
    return policy != null && policy.trim().equalsIgnoreCase("allow");
  }

  /**
   * Has all regions of a table check the rows of such writers from now on, if it lets them write
   * any row.
   *
   * @throws GuardException if the table is being migrated
   */
  public void stop(TableName table) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      TableDescriptor now = admin.getDescriptor(table);
      if (!mayWrite(now)) {
        return;
      }
      GuardState state = TableGuard.state(now);
      if (state.mode() != GuardMode.OPEN) {
        throw new GuardException(
            table,
            "table is being migrated, and its writers cannot be changed",
            "state=" + state,
            "finish the migration or roll it back first");
      }
      GuardState next = state.next();
      TableGuard.store(
          admin,
          TableDescriptorBuilder.newBuilder(TableGuard.with(now, next))
              .removeValue(RAW_WRITES)
              .build());
      try (Table open = plain.getTable(table)) {
        for (RegionInfo region : admin.getRegions(table)) {
          open.get(GuardQuestion.to(region, next.revision()));
        }
      }
    }
  }
}
