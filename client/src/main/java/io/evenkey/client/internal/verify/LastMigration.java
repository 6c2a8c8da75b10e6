/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.verify;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.registry.LayoutRecord;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.protocol.guard.GuardMode;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last migration of a table as the registry has it, and as the cluster does: tables may have
 * been dropped, and created again, by HBase's own tools, which know nothing of the registry. Which
 * table a name stands for is in the descriptors: a generation names its table there, and one that a
 * migration has left is closed. Stateless.
 */
public final class LastMigration {
  private static final Logger LOG = LoggerFactory.getLogger(LastMigration.class);

  private LastMigration() {}

  /** The state of a migration's tables now. */
  private enum State {
    /** The tables are as the migration left them. */
    THERE,
    /** The generation is gone, and the table of the name is another one, or gone too. */
    GONE,
    /** The generation is there, and another table has the table's own name. */
    DOUBLED,
    /** The migration is not over, and the generation that clients do not use is gone. */
    CUT_SHORT,
    /** It is not over, and the generation that clients use is gone; the one before is closed. */
    LEFT
  }

  /**
   * The last migration of a table. Records of tables that were dropped and created again are
   * removed.
   *
   * @return empty if there was none, or the table was created again since then
   * @throws TableLayoutException if a table was created under the name of a migrated one
   */
  public static Optional<Versioned<Migration>> of(
      Connection plain, Registry registry, TableName table) throws IOException {
    Versioned<Migration> last = registry.migrations().get(table).orElse(null);
    if (last == null) {
      followRecreation(plain, registry, table);
      return Optional.empty();
    }
    Migration migration = last.value();
    switch (state(plain, migration)) {
      case GONE -> {
        LOG.warn(
            "record of a migration removed: table={} generation={} stage={} reason=the generation"
                + " was dropped outside of Evenkey{}",
            table,
            migration.generation(),
            migration.stage(),
            migration.stage().isOver()
                ? ""
                : "; if there is a table " + migration.target() + ", it has some of its rows");
        registry.migrations().forget(table);
        forgetLayout(plain, registry, migration.source());
        forgetLayout(plain, registry, migration.target());
        forgetLayout(plain, registry, table);
        return Optional.empty();
      }
      case DOUBLED -> throw doubled(migration);
      case LEFT -> throw left(migration);
      default -> {
        if (migration.generation().equals(table)) {
          followRecreation(plain, registry, table);
        }
        return Optional.of(last);
      }
    }
  }

  /**
   * Whether a migration that is not over cannot go on, because the generation that clients do not
   * use was dropped past Evenkey.
   */
  public static boolean isCutShort(Connection plain, Migration migration) throws IOException {
    return state(plain, migration) == State.CUT_SHORT;
  }

  /**
   * The generation that clients use for a table's name; the table itself if it was never migrated.
   *
   * @throws TableLayoutException as {@link #of}
   */
  public static TableName generation(Connection plain, Registry registry, TableName table)
      throws IOException {
    return of(plain, registry, table).map(last -> last.value().generation()).orElse(table);
  }

  /** Why the record of a migration does not fit the cluster; empty if it does. */
  public static Optional<String> problem(Connection plain, Migration migration) throws IOException {
    return switch (state(plain, migration)) {
      case THERE -> Optional.empty();
      case GONE ->
          Optional.of(
              "registry has a migration of a table that was dropped: table="
                  + migration.table()
                  + " generation="
                  + migration.generation()
                  + "; harmless: the next command that uses the table removes the record");
      case DOUBLED -> Optional.of(String.valueOf(doubled(migration).getMessage()));
      case LEFT -> Optional.of(String.valueOf(left(migration).getMessage()));
      case CUT_SHORT ->
          Optional.of(
              "migration cannot go on, because a generation of it was dropped: table="
                  + migration.table()
                  + " generation="
                  + other(migration)
                  + " stage="
                  + migration.stage()
                  + "; end it: "
                  + (migration.stage().usesTarget() ? Remedy.FINISH : Remedy.ROLL_BACK));
    };
  }

  private static TableName other(Migration migration) {
    return migration.stage().usesTarget() ? migration.source() : migration.target();
  }

  private static TableLayoutException left(Migration migration) {
    return new TableLayoutException(
        migration.table(),
        "generation in use was dropped outside of Evenkey, and the one before it is closed",
        "generation=" + migration.generation() + " before=" + migration.source(),
        "drop "
            + migration.source()
            + " too, if its rows, which are those of before the switch, are not needed; or use them"
            + " again: "
            + Remedy.ROLL_BACK);
  }

  private static TableLayoutException doubled(Migration migration) {
    return new TableLayoutException(
        migration.table(),
        "table was created under the name of a migrated one, whose rows are in "
            + migration.generation(),
        "clients use the new table: drop "
            + migration.generation()
            + " if its rows are not needed, or else the new table");
  }

  private static State state(Connection plain, Migration migration) throws IOException {
    TableName table = migration.table();
    TableName generation = migration.generation();
    // Without the guard no table has the old name, and clients go by the registry.
    boolean guarded = migration.fence() == Migration.Fence.GUARD;
    if (migration.stage().isOver() ? generation.equals(table) : !guarded) {
      return State.THERE;
    }
    try (Admin admin = plain.getAdmin()) {
      boolean renewed =
          guarded
              && !generation.equals(table)
              && admin.tableExists(table)
              && TableGuard.state(admin.getDescriptor(table)).mode() != GuardMode.CLOSED;
      if (!migration.stage().isOver()) {
        return renewed && isOfMigration(admin, migration, generation)
            ? State.DOUBLED
            : stateUnderWay(admin, migration);
      }
      if (isGenerationOf(admin, generation, table)) {
        return renewed ? State.DOUBLED : State.THERE;
      }
      return renewed || !admin.tableExists(table) ? State.GONE : State.THERE;
    }
  }

  private static State stateUnderWay(Admin admin, Migration migration) throws IOException {
    boolean isOtherThere = isOfMigration(admin, migration, other(migration));
    if (isOfMigration(admin, migration, migration.generation())) {
      // A clone is made late, and what is given up is dropped.
      boolean isNeeded =
          switch (migration.stage()) {
            case PREPARING, ABANDONING -> false;
            case COPYING -> !migration.kind().clonesSource();
            default -> true;
          };
      return isOtherThere || !isNeeded ? State.THERE : State.CUT_SHORT;
    }
    return isOtherThere && migration.stage().usesTarget() ? State.LEFT : State.GONE;
  }

  // A table that was created since then has no state of a migration, which sets one when it begins.
  private static boolean isOfMigration(Admin admin, Migration migration, TableName generation)
      throws IOException {
    return admin.tableExists(generation)
        && (migration.stage() == Stage.PREPARING
            || TableGuard.state(admin.getDescriptor(generation)).turn() > 0);
  }

  private static boolean isGenerationOf(Admin admin, TableName generation, TableName table)
      throws IOException {
    return admin.tableExists(generation)
        && table
            .getNameAsString()
            .equals(admin.getDescriptor(generation).getValue(TableLayout.TABLE));
  }

  // A table that was created again past Evenkey has other regions than the one of the record, all
  // of
  // one moment. A record that does not fit an older table is for evenkey verify --trust.
  private static void followRecreation(Connection plain, Registry registry, TableName table)
      throws IOException {
    LayoutRecord recorded = registry.layouts().get(table).orElse(null);
    if (recorded == null) {
      return;
    }
    try (Admin admin = plain.getAdmin()) {
      if (admin.tableExists(table)
          && !recorded.layout().equals(admin.getDescriptor(table).getValue(TableLayout.LAYOUT))
          && isCreatedSince(admin.getRegions(table), recorded.since())) {
        LOG.warn(
            "record of a layout replaced: table={} recorded={} reason=the table was created again"
                + " outside of Evenkey",
            table,
            recorded.layout());
        forgetLayout(plain, registry, table);
      }
    }
  }

  private static boolean isCreatedSince(List<RegionInfo> regions, Instant record) {
    return regions.stream().map(RegionInfo::getRegionId).distinct().count() == 1
        && regions.get(0).getRegionId() > record.toEpochMilli();
  }

  // A table that was created since then has the layout that its descriptor says, or none.
  private static void forgetLayout(Connection plain, Registry registry, TableName name)
      throws IOException {
    try (Admin admin = plain.getAdmin()) {
      TableDescriptor now = admin.tableExists(name) ? admin.getDescriptor(name) : null;
      String line = now == null ? null : now.getValue(TableLayout.LAYOUT);
      if (now == null || line == null) {
        registry.layouts().forget(name);
      } else {
        registry
            .layouts()
            .record(name, line, TableLayout.indexes(now).recorded(), TableLayout.isKeyChanged(now));
      }
    }
  }
}
