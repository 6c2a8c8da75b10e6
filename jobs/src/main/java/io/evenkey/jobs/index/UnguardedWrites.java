/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.client.internal.verify.LastMigration;
import io.evenkey.jobs.guard.GuardControl;
import io.evenkey.layout.message.FailureMessage;
import io.evenkey.protocol.guard.GuardedSince;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.protocol.index.TableIndexes;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Finds tables of which a region was open without the guard, so that rows may have been written
 * without the mark that a migration needs, or without their entry in an index. Stateless.
 */
public final class UnguardedWrites {
  private UnguardedWrites() {}

  /**
   * What may be wrong, and what puts it right; nothing for a table at rest without indexes.
   *
   * @throws io.evenkey.jobs.guard.GuardException if a region has no guard now
   */
  public static List<String> problems(Connection plain, Registry registry, TableName table)
      throws IOException {
    Migration migration =
        LastMigration.of(plain, registry, table).map(Versioned::value).orElse(null);
    TableName generation = migration == null ? table : migration.generation();
    boolean marked =
        migration != null
            && !migration.stage().isOver()
            && !(migration.kind() instanceof Kind.StepInPlace)
            && migration.fence() == Migration.Fence.GUARD;
    TableIndexes indexes;
    try (Admin admin = plain.getAdmin()) {
      if (admin.isTableDisabled(generation)) {
        return List.of();
      }
      indexes = TableLayout.indexes(admin.getDescriptor(generation));
    }
    List<String> problems = new ArrayList<>();
    if (migration != null && generation.equals(migration.target())) {
      left(plain, migration, problems);
    }
    if (!marked && indexes.isEmpty()) {
      return problems;
    }
    GuardedSince since;
    try (GuardControl guard = GuardControl.open(plain)) {
      since = guard.ask(generation, 0).guarded();
    }
    if (migration != null && marked && since.isOfClone()) {
      problems.add(
          FailureMessage.of(
                  "table was dropped and cloned from a snapshot under its name during the"
                      + " migration")
              .with("table", table)
              .remedy("the migration cannot go on: " + Remedy.ROLL_BACK));
    } else if (migration != null
        && marked
        && since.pass() > migration.work().comparedThrough() + 1) {
      problems.add(
          FailureMessage.of(
                  "region was open without the guard during the migration, or two were merged")
              .with("table", table)
              .remedy(
                  "rows may have been written without a mark, so the next step of the migration"
                      + " compares all rows: "
                      + Remedy.SHOW_MIGRATION));
    }
    for (TableIndex index : indexes.list()) {
      IndexWork work = registry.indexes().get(table, index.name()).orElse(null);
      if (work != null && isLater(since, work)) {
        problems.add(
            FailureMessage.of(
                    "region was open without the guard since the index was verified, or two were"
                        + " merged")
                .with("table", table)
                .with("index", index.name())
                .remedy("rows may have been written without an entry: " + Remedy.REPAIR_INDEX));
      }
    }
    return problems;
  }

  /** The generation that clients have left, and that refuses them as long as it has the guard. */
  private static void left(Connection plain, Migration migration, List<String> problems)
      throws IOException {
    TableName left = migration.source();
    try (GuardControl guard = GuardControl.open(plain)) {
      if (guard.isLeftUnguarded(left)) {
        problems.add(
            FailureMessage.of("generation that is not in use was open without the guard")
                .with("table", migration.table())
                .with("generation", left)
                .with("in_use", migration.target())
                .remedy(
                    "rows may have been written there that "
                        + migration.target()
                        + " does not have: clone a snapshot of it, named closed-…, and "
                        + Remedy.COMPARE_CLONE));
      }
    }
  }

  private static boolean isLater(GuardedSince since, IndexWork work) {
    IndexWork.Verification verified = work.verified();
    Instant sure = verified == null ? work.filling().finished() : verified.at();
    // Regions that a migration has made are younger than the index, and have had the guard since
    // their first opening: pass 0.
    return sure != null && since.pass() > 0 && since.ms() > sure.toEpochMilli();
  }
}
