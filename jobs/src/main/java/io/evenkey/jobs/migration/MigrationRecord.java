/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.compare.Difference;
import io.evenkey.jobs.migration.row.RepairOutcome;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;

/**
 * The state of a migration that this run has stored in the registry last. Others change its pace
 * only, or take the migration over. Not thread-safe.
 */
public final class MigrationRecord {
  private final Registry registry;
  private Migration migration;

  public MigrationRecord(Registry registry, Migration stored) {
    this.registry = registry;
    this.migration = stored;
  }

  public Migration migration() {
    return migration;
  }

  public long turn() {
    return migration.turn();
  }

  /**
   * Stores what follows.
   *
   * @throws MigrationException if another run has taken the migration over
   */
  public void store(Migration next) throws IOException {
    TableName table = migration.table();
    Versioned<Migration> now =
        registry
            .migrations()
            .get(table)
            .orElseThrow(
                () -> new MigrationException("migration does not exist any more: table=" + table));
    if (now.value().stage() != migration.stage() || now.value().turn() != migration.turn()) {
      throw new MigrationException("another run is migrating the table: table=" + table);
    }
    migration = next.withPace(now.value().pace());
    registry.migrations().store(migration, now.version());
  }

  /**
   * Adds up the rows that a comparison has repaired.
   *
   * @throws MigrationException if rows differ after that
   */
  public void count(RepairOutcome outcome) throws IOException {
    List<Difference> left = outcome.left();
    if (!left.isEmpty()) {
      throw new MigrationException(
          migration.table(),
          "rows still differ after they were repaired",
          "rows=" + left.size() + " example=" + left.get(0).label(),
          Remedy.RESUME_MIGRATION + ", which compares again, or " + Remedy.ROLL_BACK);
    }
    if (outcome.repaired() > 0) {
      store(migration.withWork(migration.work().repaired(outcome.repaired())));
    }
  }
}
