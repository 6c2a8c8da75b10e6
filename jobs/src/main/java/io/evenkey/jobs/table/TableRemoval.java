/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.table;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.client.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The deletion of tables. Stateless. */
public final class TableRemoval {
  private static final Logger LOG = LoggerFactory.getLogger(TableRemoval.class);

  private TableRemoval() {}

  /**
   * Disables a table, unless it is disabled, and deletes it. The master may still create the table
   * for a command that was killed. Such a table is not enabled, but it will be: so the master is
   * asked to disable it, which it does when it has created it.
   *
   * @throws org.apache.hadoop.hbase.TableNotFoundException if there is no such table
   */
  public static void remove(Admin admin, TableName table) throws IOException {
    disable(admin, table);
    admin.deleteTable(table);
  }

  /** Disables a table, unless it is disabled. */
  public static void disable(Admin admin, TableName table) throws IOException {
    try {
      admin.disableTable(table);
    } catch (TableNotEnabledException e) {
      LOG.debug("Disabled already: {}", table, e);
    }
  }
}
