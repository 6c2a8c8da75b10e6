/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.doctor;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.jobs.index.UnguardedWrites;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.index.IndexState;
import io.evenkey.report.json.DescribedIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Checks that the registry knows the indexes of tables: those of a table that was restored here
 * from another cluster may lack entries, and so may those of a table of which a region was open
 * without the guard; a migrated table may lack rows then. An index that a command was adding or
 * dropping when it was killed costs writes, and serves no read.
 */
record IndexCheck(Connection connection, Registry registry) implements Check {
  @Override
  public List<CheckFinding> findings() throws IOException {
    List<CheckFinding> findings = new ArrayList<>();
    try (Admin admin = connection.getAdmin()) {
      for (TableDescriptor table : SpreadTableList.of(admin)) {
        GuardState state = TableGuard.state(table);
        String of = table.getValue(TableLayout.TABLE);
        TableName name = of == null ? table.getTableName() : TableName.valueOf(of);
        if (!TableLayout.indexes(table).isEmpty() || state.turn() > 0) {
          unguarded(name, findings);
        }
        for (DescribedIndex index : DescribedIndex.of(table, registry)) {
          IndexWork work = index.work();
          if (work != null
              && work.filling().finished() != null
              && index.index().state() == IndexState.JOINING) {
            findings.add(
                CheckFinding.problem(
                    "index that has not been read since the rows of its table were restored or"
                        + " truncated: table="
                        + index.table()
                        + " index="
                        + index.index().name(),
                    "compare it with the rows, and open it: evenkey index verify "
                        + index.table()
                        + " "
                        + index.index().name()
                        + " --repair"));
          }
          if (work != null) {
            interrupted(admin, table, index).ifPresent(findings::add);
          } else {
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

  private Optional<CheckFinding> interrupted(
      Admin admin, TableDescriptor table, DescribedIndex index) throws IOException {
    IndexState state = index.index().state();
    boolean isClosed =
        state == IndexState.JOINING
            && Objects.requireNonNull(index.work()).filling().finished() != null;
    if (state == IndexState.PUBLIC
        || isClosed
        || !registry.migrations().holder(index.table()).isEmpty()
        // A command may have ended well since the descriptor was read.
        || !TableLayout.indexes(admin.getDescriptor(table.getTableName()))
            .get(index.index().name())
            .filter(index.index()::equals)
            .isPresent()) {
      return Optional.empty();
    }
    String where = " table=" + index.table() + " index=" + index.index().name();
    String drop = "evenkey index drop " + index.table() + " " + index.index().name();
    return Optional.of(
        state == IndexState.CLOSING
            ? CheckFinding.advice(
                "drop of an index was interrupted, and no process runs it:" + where, drop)
            : CheckFinding.advice(
                "addition of an index was interrupted, and no process runs it:"
                    + where
                    + " state="
                    + state,
                "writes pay for it, and no read uses it; go on with: "
                    + index.addition()
                    + "; or give it up: "
                    + drop));
  }

  private void unguarded(TableName table, List<CheckFinding> findings) {
    try {
      UnguardedWrites.problems(connection, registry, table)
          .forEach(problem -> findings.add(CheckFinding.ofLine(true, problem)));
    } catch (IOException e) {
      findings.add(CheckFinding.of(e));
    }
  }
}
