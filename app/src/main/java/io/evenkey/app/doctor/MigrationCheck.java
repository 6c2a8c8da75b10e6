/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.doctor;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.verify.LastMigration;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;

/** Checks for migrations that wait for an operator. */
record MigrationCheck(Connection connection, Registry registry) implements Check {
  @Override
  public List<CheckFinding> findings() throws IOException {
    List<CheckFinding> findings = new ArrayList<>();
    for (Migration migration : registry.migrations().all()) {
      if (!migration.stage().isOver()) {
        findings.add(
            CheckFinding.advice(
                "migration that is not finished: table="
                    + migration.table()
                    + " stage="
                    + migration.stage().toString().replace(' ', '-'),
                remedy(migration)));
      } else {
        LastMigration.problem(connection, migration)
            .ifPresent(problem -> findings.add(CheckFinding.ofLine(false, problem)));
      }
    }
    return findings;
  }

  private static String remedy(Migration migration) {
    String migrate = "evenkey migrate " + migration.table();
    return migration.stage() == Stage.READY
        ? migrate + " --switch, or --rollback"
        : migration.stage() == Stage.SWITCHED
            ? migrate + " --finish, or --rollback"
            : migrate + " --status shows whether a process runs it; --resume continues it";
  }
}
