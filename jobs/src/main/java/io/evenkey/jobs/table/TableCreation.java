/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.table;

import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.message.FailureMessage;
import java.io.IOException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;

/** Creates tables, and replaces the ones that an earlier run has left. */
@FunctionalInterface
public interface TableCreation {
  /** Has the master create the table. */
  void create() throws IOException;

  /**
   * Creates a table that was not there a moment ago. The master may just have begun to create it
   * for a run that was killed: it says of such a table that it is not there, and then refuses to
   * create it again.
   *
   * @param again how the user runs this again, which replaces the table
   * @throws IOException with that remedy, if the table is there by now
   */
  static void run(TableName table, TableCreation creation, String again) throws IOException {
    try {
      creation.create();
    } catch (TableExistsException e) {
      // As a cause it would be reported as a name that is taken.
      IOException left =
          new EvenkeyException(
              FailureMessage.of("HBase has just created this table for a run that was killed")
                  .with("table", table)
                  .remedy(again));
      left.addSuppressed(e);
      throw left;
    }
  }
}
