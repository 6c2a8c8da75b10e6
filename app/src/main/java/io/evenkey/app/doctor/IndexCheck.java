/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.doctor;

import io.evenkey.app.json.DescribedIndex;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.layout.guard.GuardMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Checks that the registry knows the indexes of tables: those of a table that was restored here
 * from another cluster may lack entries.
 */
record IndexCheck(Connection connection, Registry registry) implements Check {
  @Override
  public List<CheckFinding> findings() throws IOException {
    List<CheckFinding> findings = new ArrayList<>();
    try (Admin admin = connection.getAdmin()) {
      for (TableDescriptor table : SpreadTableList.of(admin)) {
        if (TableGuard.state(table).mode() == GuardMode.CLOSED) {
          continue;
        }
        for (DescribedIndex index : DescribedIndex.of(table, registry)) {
          if (index.work() == null) {
            findings.add(
                CheckFinding.problem(
                    "index that this cluster has not added: table="
                        + index.table()
                        + " index="
                        + index.index().name(),
                    "restored from another cluster, it may lack rows: evenkey index adopt "
                        + index.table()
                        + " "
                        + index.index().name()));
          }
        }
      }
    }
    return findings;
  }
}
