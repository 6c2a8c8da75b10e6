/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.doctor;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.verify.LastMigration;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Checks for migrations that nobody goes on with. One that a process runs is well, and so is one
 * that waits for the next command, for a day.
 */
record MigrationCheck(Connection connection, Registry registry) implements Check {
  /** Until the end, compactions keep tombstones, and two generations take room. */
  private static final Duration PATIENCE = Duration.ofDays(1);

  @Override
  public List<CheckFinding> findings() throws IOException {
    List<CheckFinding> findings = new ArrayList<>();
    for (Migration migration : registry.migrations().all()) {
      if (migration.stage().isOver()) {
        LastMigration.problem(connection, migration)
            .ifPresent(problem -> findings.add(CheckFinding.ofLine(false, problem)));
      } else if (registry.migrations().holder(migration.table()).isEmpty()) {
        of(migration, Instant.now()).ifPresent(findings::add);
      }
    }
    return findings;
  }

  /** The finding about a migration that no process runs, if there is one. */
  static Optional<CheckFinding> of(Migration migration, Instant now) {
    boolean waits =
        migration.stage() == migration.goal()
            && (migration.stage() == Stage.READY || migration.stage() == Stage.SWITCHED);
    if (waits && migration.since().isAfter(now.minus(PATIENCE))) {
      return Optional.empty();
    }
    String where =
        " table="
            + migration.table()
            + " stage="
            + migration.stage().toString().replace(' ', '-')
            + " since="
            + migration.since();
    String migrate = "evenkey migrate " + migration.table();
    if (!waits) {
      return Optional.of(
          CheckFinding.advice(
              "migration was interrupted, and no process runs it:" + where,
              migrate + " --resume continues it; --rollback takes it back"));
    }
    return Optional.of(
        CheckFinding.advice(
            "migration waits for the next command:" + where,
            migrate
                + (migration.stage() == Stage.READY ? " --switch" : " --finish")
                + ", or --rollback; until then two generations take room"));
  }
}
