/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.generation;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.table.TableRemoval;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.naming.DerivedTable;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The tables that generations are where no guard keeps clients from one that is left: such a
 * generation is disabled, kept as a snapshot, and dropped later. It is never enabled again, and its
 * name is never used again, so that no late request, of a client or of an earlier run, reaches its
 * rows. It goes on as a clone under another name. All of it can be done again. As thread-safe as
 * the connection.
 */
public final class NamedGenerations {
  /** The expected pause of a table without regions, and for each region. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private static final Duration PAUSE_OF_REGION = Duration.ofMillis(80);

  private final Connection plain;

  public NamedGenerations(Connection plain) {
    this.plain = plain;
  }

  /**
   * The expected pause of reads and writes while a generation of this number of regions is left.
   */
  static Duration expectedPause(int regions) {
    return PAUSE.plus(PAUSE_OF_REGION.multipliedBy(regions));
  }

  /** For about how long reads and writes will pause while a generation is left. */
  public Duration expectedPause(TableName generation) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return expectedPause(admin.getRegions(generation).size());
    }
  }

  /** The prefix of the names of all snapshots of a table's migrations. */
  private static String snapshots(TableName table) {
    return "evenkey-" + table.getNameAsString().replace(':', '-') + "-";
  }

  /** The snapshot of a generation that is left. */
  public static String left(Migration migration, TableName generation) {
    return snapshots(migration.table()) + "left-" + generation.getQualifierAsString();
  }

  /** Has major compactions keep tombstones: each region is opened again for that, once. */
  public void keepTombstones(Migration migration, TableName generation) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      TableDescriptor now = admin.getDescriptor(generation);
      TableDescriptor kept = KeptTombstones.keep(migration, now);
      if (!kept.equals(now)) {
        admin.modifyTable(kept);
      }
    }
  }

  /** Has compactions remove tombstones again, in each region from when it is next opened. */
  public void releaseTombstones(TableName generation) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      TableDescriptor now = admin.getDescriptor(generation);
      TableDescriptor released = KeptTombstones.release(now);
      if (!released.equals(now)) {
        TableGuard.store(admin, released);
      }
    }
  }

  /** The descriptor of a next generation: without the state of a guard. */
  static TableDescriptor next(Migration migration, TableDescriptor like) {
    return TableDescriptorBuilder.newBuilder(KeptTombstones.keep(migration, like))
        .removeValue(GuardState.DESCRIPTOR_KEY)
        .removeValue(GuardState.TABLE_KEY)
        .removeValue(GuardState.CLONE_KEY)
        .build();
  }

  /**
   * Takes a snapshot of what a table has now.
   *
   * @param number no two of one run have the same
   */
  public String snapshot(Migration migration, TableName generation, int number) throws IOException {
    String name = snapshots(migration.table()) + "turn-" + migration.turn() + "-" + number;
    try (Admin admin = plain.getAdmin()) {
      admin.snapshot(name, generation);
    }
    return name;
  }

  /** The snapshot of the next generation from before it was in use. */
  public static String beforeSwitch(Migration migration) {
    return snapshots(migration.table()) + "switch";
  }

  /** Takes that snapshot, and drops one that an earlier run has taken. */
  public void snapshotBeforeSwitch(Migration migration) throws IOException {
    dropSnapshot(beforeSwitch(migration));
    try (Admin admin = plain.getAdmin()) {
      admin.snapshot(beforeSwitch(migration), migration.target());
    }
  }

  /** Whether a snapshot is there. */
  public boolean hasSnapshot(String name) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return !admin.listSnapshots(Pattern.compile(Pattern.quote(name))).isEmpty();
    }
  }

  /** Drops a snapshot if it is there. */
  public void dropSnapshot(String name) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      admin.deleteSnapshots(Pattern.compile(Pattern.quote(name)));
    }
  }

  /**
   * Leaves a generation: all that was acknowledged is in its snapshot then, and nothing answers
   * under its name.
   *
   * @throws MigrationException if another program has enabled the table in the middle of that
   */
  public void leave(Migration migration, TableName generation) throws IOException {
    String snapshot = left(migration, generation);
    try (Admin admin = plain.getAdmin()) {
      boolean kept = hasSnapshot(snapshot);
      if (!admin.tableExists(generation)) {
        if (kept) {
          return;
        }
        throw new MigrationException(
            generation,
            "generation is gone",
            "",
            "it was dropped outside of Evenkey: restore it from a backup under this name, then "
                + Remedy.RESUME_MIGRATION);
      }
      if (admin.isTableEnabled(generation)) {
        if (kept) {
          throw new MigrationException(
              generation,
              "generation was enabled after the migration had left it",
              "",
              "its snapshot may lack rows: drop the snapshot "
                  + snapshot
                  + ", then "
                  + Remedy.RESUME_MIGRATION);
        }
        TableRemoval.disable(admin, generation);
      }
      if (!kept) {
        admin.snapshot(snapshot, generation);
      }
    }
  }

  /**
   * Drops a generation that was left, if it is still there. HBase's client repeats a batch to a
   * disabled table for more than a minute, to one that is gone it does not.
   *
   * @throws MigrationException if another program has enabled the table
   */
  public void dropLeft(TableName generation) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      if (!admin.tableExists(generation)) {
        return;
      }
      if (admin.isTableEnabled(generation)) {
        throw new MigrationException(
            generation,
            "generation was enabled after the migration had left it",
            "",
            "clients may have written to it: look at it, disable it, then "
                + Remedy.RESUME_MIGRATION);
      }
      admin.deleteTable(generation);
    }
  }

  /** Makes a generation that was left go on as a clone, with the rights of users on it. */
  public void goOn(Migration migration, TableName left, TableName name) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      admin.cloneSnapshot(left(migration, left), name, true);
      TableDescriptor clone = admin.getDescriptor(name);
      TableGuard.store(
          admin,
          TableDescriptorBuilder.newBuilder(clone)
              .setValue(TableLayout.TABLE, migration.table().getNameAsString())
              .build());
    }
  }

  /** Disables a generation that is kept only for the way back. */
  public void close(TableName generation) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      TableRemoval.disable(admin, generation);
    }
  }

  /** The name of a table that was made for this migration and is not needed any more. */
  public @Nullable TableName superfluous(Migration migration) throws IOException {
    Pattern generations =
        Pattern.compile(DerivedTable.generations(migration.table().getNameAsString()));
    Set<TableName> used =
        migration.stage() == Stage.ROLLED_BACK
            ? Set.of(migration.source())
            : Set.of(migration.source(), migration.target());
    try (Admin admin = plain.getAdmin()) {
      for (TableDescriptor table : admin.listTableDescriptors(generations)) {
        if (KeptTombstones.isOf(migration, table) && !used.contains(table.getTableName())) {
          return table.getTableName();
        }
      }
    }
    return null;
  }

  /** Drops a table that was made for the migration, or that it has left. */
  public void drop(Migration migration, TableName table) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      boolean left = table.equals(migration.table()) || hasSnapshot(left(migration, table));
      if (!left) {
        TableRemoval.disable(admin, table);
      }
    }
    dropLeft(table);
  }

  /** Drops all snapshots of the table's migrations, but the one that the way back needs. */
  public void dropSnapshots(Migration migration) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      String name = Pattern.quote(snapshots(migration.table()));
      admin.deleteSnapshots(Pattern.compile(name + "(turn|left)-.*"));
    }
    if (migration.stage().isOver()) {
      dropSnapshot(beforeSwitch(migration));
    }
  }
}
