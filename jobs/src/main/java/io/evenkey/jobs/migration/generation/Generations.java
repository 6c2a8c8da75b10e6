/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.generation;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.client.plan.TableSettings;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.migration.MigrationPlan;
import io.evenkey.jobs.migration.row.NextKeys;
import io.evenkey.jobs.security.TableRights;
import io.evenkey.jobs.split.RegionRanges;
import io.evenkey.jobs.split.StoredSize;
import io.evenkey.jobs.table.ServerGroup;
import io.evenkey.jobs.table.TableCreation;
import io.evenkey.jobs.table.TableQuotas;
import io.evenkey.jobs.table.TableRemoval;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.split.SplitPlan;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.index.TableIndexes;
import io.evenkey.protocol.naming.DerivedTable;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * The tables that generations are: made, marked and tidied up. All of it can be done again. As
 * thread-safe as the connection.
 */
public final class Generations {
  private static final int ROUND_MEGABYTES = 50 * 1_024;

  private final Connection plain;

  public Generations(Connection plain) {
    this.plain = plain;
  }

  public TableDescriptor descriptor(TableName table) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return admin.getDescriptor(table);
    }
  }

  /**
   * The layout of a generation; of one that has none, that of plain keys with the fields of
   * another.
   */
  public Layout layout(TableName generation, Layout other) throws IOException {
    Layout own = TableLayout.of(descriptor(generation));
    return own != null ? own : Layout.parse(other.key().unreversed().toString());
  }

  /** Whether the row key of a generation was changed, by this migration or an earlier one. */
  public boolean isKeyChanged(TableName generation) throws IOException {
    return TableLayout.isKeyChanged(descriptor(generation));
  }

  /** Records in the registry what the descriptor of a generation with a layout says. */
  public void record(Registry registry, TableName generation) throws IOException {
    TableDescriptor table = descriptor(generation);
    registry
        .layouts()
        .record(
            generation,
            String.valueOf(TableLayout.of(table)),
            TableLayout.indexes(table).recorded(),
            TableLayout.isKeyChanged(table));
  }

  /** The indexes of a generation, which the next one gets too: their entries name logical keys. */
  public TableIndexes indexes(TableName generation) throws IOException {
    return TableLayout.indexes(descriptor(generation));
  }

  /**
   * The settings of the next generation of a table.
   *
   * @param from the layout of the generation in use
   */
  public TableSettings settings(
      TableName source, Layout from, MigrationPlan plan, Registry registry) throws IOException {
    TableDescriptor now = descriptor(source);
    return plan.keepsSettings()
        ? new TableSettings(now, List.of())
        : TableSettings.ofNext(now, from, plan.layout(), registry.plans().effective(plan.table()));
  }

  /**
   * Makes the next generation, empty, and removes what an earlier attempt has left.
   *
   * @param like the source's descriptor, with the settings of the next generation
   */
  public void create(Migration migration, Layout layout, SplitPlan splits, TableDescriptor like)
      throws IOException {
    try (Admin admin = plain.getAdmin()) {
      if (admin.tableExists(migration.target())) {
        drop(admin, migration);
      }
      // One of an earlier migration to a generation of this name has rows of that time.
      dropSnapshots(admin, migration.table());
      TableDescriptor table =
          TableDescriptorBuilder.newBuilder(TableDescriptorBuilder.copy(migration.target(), like))
              .setValue(TableLayout.TABLE, migration.table().getNameAsString())
              // Late entries of an earlier attempt, for a table that had the name.
              .setValue(
                  GuardState.ARRIVED_KEY,
                  migration.clusters().follows()
                      ? Integer.toString(migration.clusters().sinceTurn())
                      : null)
              // Replicas that are open during the copy may not read its files.
              .setRegionReplication(1)
              .build();
      byte[][] keys = splits.keys().isEmpty() ? null : splits.toArray();
      TableDescriptor next =
          migration.kind() instanceof Kind.AnotherKey
              ? TableLayout.withChangedKey(table, layout)
              : TableLayout.with(table, layout);
      TableIndexes indexes = indexes(migration.source());
      TableDescriptor whole =
          ServerGroup.like(
              plain,
              migration.source(),
              fenced(migration, indexes.isEmpty() ? next : TableLayout.with(next, indexes)));
      TableCreation.run(
          migration.target(),
          () -> admin.createTable(whole, keys),
          Remedy.RESUME_MIGRATION.toString());
      if (migration.kind().takesKeyFromColumns()) {
        try (RegionLocator regions = plain.getRegionLocator(migration.source())) {
          TableCreation.run(
              NextKeys.table(migration.target()),
              () -> NextKeys.create(admin, regions, migration.target()),
              Remedy.RESUME_MIGRATION.toString());
        }
      }
    }
    copyRights(migration);
  }

  /** Drops the table of next keys of a migration that is over, if it has one. */
  public void dropNextKeys(Migration migration) throws IOException {
    if (migration.kind().takesKeyFromColumns()) {
      try (Admin admin = plain.getAdmin()) {
        NextKeys.drop(admin, migration.target());
      }
    }
  }

  private static TableDescriptor fenced(Migration migration, TableDescriptor next) {
    return switch (migration.fence()) {
      case NAMES -> NamedGenerations.next(migration, next);
      case GUARD ->
          TableGuard.with(
              next,
              new GuardState(
                  1, GuardMode.CLOSED, 0, migration.turn(), migration.source().getNameAsString()));
    };
  }

  /**
   * Gives the regions of the target as many replicas as those of the source have. They open with
   * all rows that are there now.
   */
  public void addReplicas(Migration migration) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      int wanted = admin.getDescriptor(migration.source()).getRegionReplication();
      TableDescriptor target = admin.getDescriptor(migration.target());
      if (target.getRegionReplication() < wanted) {
        admin.flush(migration.target());
        admin.modifyTable(
            TableDescriptorBuilder.newBuilder(target).setRegionReplication(wanted).build());
      }
    }
  }

  /** Gives users the rights on the target that they have on the source. */
  public void copyRights(Migration migration) throws IOException {
    new TableRights(plain).copy(migration.source(), migration.target());
  }

  /** Sets the quotas of the source on the target. */
  public void copyQuotas(Migration migration) throws IOException {
    new TableQuotas(plain).copy(migration.source(), migration.target());
  }

  /** Gives users the rights on the source that they have on the target since the switch. */
  public void copyRightsBack(Migration migration) throws IOException {
    new TableRights(plain).copy(migration.target(), migration.source());
  }

  /** Gives the source the quotas that the target has since the switch, and no others. */
  public void copyQuotasBack(Migration migration) throws IOException {
    new TableQuotas(plain).replace(migration.target(), migration.source());
  }

  /** Whether a generation is there. */
  public boolean exists(TableName generation) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return admin.tableExists(generation);
    }
  }

  /**
   * Whether a generation is there, and not disabled, as by a run that was killed as it drops it.
   */
  public boolean isEnabled(TableName generation) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return admin.tableExists(generation) && admin.isTableEnabled(generation);
    }
  }

  private static void drop(Admin admin, Migration migration) throws IOException {
    TableDescriptor there = admin.getDescriptor(migration.target());
    if (!migration.table().getNameAsString().equals(there.getValue(TableLayout.TABLE))
        && !isClone(migration, there)) {
      throw new MigrationException(
          migration.target(),
          "another table has the name of the next generation",
          "",
          "rename or drop it");
    }
    TableRemoval.remove(admin, migration.target());
  }

  // A run that was killed may have made the clone, and not named its table yet.
  private static boolean isClone(Migration migration, TableDescriptor there) {
    GuardState state = TableGuard.state(there);
    return migration.kind() instanceof Kind.StepWithRewriting
        && state.mode() == GuardMode.CLOSED
        && state.other().equals(migration.source().getNameAsString());
  }

  private static void deleteIfThere(Admin admin, TableName table) throws IOException {
    if (admin.tableExists(table)) {
      TableRemoval.remove(admin, table);
    }
  }

  /** The name of the snapshot from which a target is copied. */
  public static String snapshot(Migration migration) {
    return snapshots(migration.target()) + migration.source().getQualifierAsString();
  }

  private static String snapshots(TableName target) {
    return "evenkey-" + target.getNameAsString().replace(':', '-') + "-";
  }

  /** Drops the snapshots from which generations of a table were copied or cloned. */
  public void dropSnapshots(TableName table) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      dropSnapshots(admin, table);
    }
  }

  private static void dropSnapshots(Admin admin, TableName table) throws IOException {
    String generations = DerivedTable.generations(table.getNameAsString());
    String target = "evenkey-" + generations.replace(':', '-');
    String source = generations.replace(table.getNamespaceAsString() + ":", "");
    admin.deleteSnapshots(Pattern.compile(target + "-([0-9]+|" + source + ")"));
  }

  /**
   * Makes the target a clone of the source, closed to clients, and replaces the table that had the
   * name. The source's writes have to be marked since before.
   *
   * @param state of the source
   */
  public void cloneSource(Migration migration, GuardState state) throws IOException {
    GuardState closed =
        new GuardState(
            1,
            GuardMode.CLOSED,
            state.pass(),
            migration.turn(),
            migration.source().getNameAsString());
    String snapshot = snapshots(migration.target()) + "0";
    try (Admin admin = plain.getAdmin()) {
      // The clone has the snapshot's descriptor, and is made in the group that this names.
      TableDescriptor source =
          ServerGroup.like(plain, migration.source(), admin.getDescriptor(migration.source()));
      TableGuard.store(admin, TableGuard.withClone(source, migration.target(), closed));
      if (migration.kind() instanceof Kind.Renaming) {
        checkLeft(migration.target());
        deleteIfThere(admin, migration.target());
      } else if (admin.tableExists(migration.target())) {
        drop(admin, migration);
      }
      admin.deleteSnapshots(Pattern.compile(Pattern.quote(snapshot)));
      admin.snapshot(snapshot, migration.source());
      TableCreation.run(
          migration.target(),
          () -> admin.cloneSnapshot(snapshot, migration.target()),
          Remedy.RESUME_MIGRATION.toString());
      admin.deleteSnapshot(snapshot);
    }
    copyRights(migration);
  }

  /**
   * Refuses to replace a table that clients can use: one that is closed is an earlier generation,
   * or of an earlier attempt.
   *
   * @throws MigrationException if there is a table of the name, and it is not closed
   */
  public void checkLeft(TableName table) throws IOException {
    if (exists(table) && TableGuard.state(descriptor(table)).mode() != GuardMode.CLOSED) {
      throw new MigrationException(
          table,
          "table has the name that a generation is to have",
          "reason=it was created outside of Evenkey",
          "rename or drop it, and repeat the command");
    }
  }

  /** Takes out of a descriptor that the table is a generation of a table of another name. */
  public void ownName(TableName table) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      TableGuard.store(
          admin,
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(table))
              .removeValue(TableLayout.TABLE)
              .removeValue(GuardState.CLONE_KEY)
              .build());
    }
  }

  /** Drops the target of a migration that was rolled back, and what it was copied from. */
  public void dropTarget(Migration migration) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      // Replication may still send entries of a peer's, and would wait for ever.
      if (!migration.clusters().follows()
          && admin.tableExists(migration.target())
          && !isFormer(admin, migration)) {
        drop(admin, migration);
      }
      dropSnapshots(admin, migration.table());
    }
  }

  // The table that had the name when the renaming began, and still has it.
  private static boolean isFormer(Admin admin, Migration migration) throws IOException {
    return migration.kind() instanceof Kind.Renaming
        && admin.getDescriptor(migration.target()).getValue(TableLayout.TABLE) == null;
  }

  /**
   * Checks that a snapshot keeps the rows that a rollback removes from the source, since no other
   * generation has them: they were written while it was not in use, and without the guard.
   *
   * @param sinceMs when the guard was there again, milliseconds since 1970
   * @throws MigrationException if there is no snapshot of the source from then on
   */
  public void checkKept(Migration migration, long sinceMs) throws IOException {
    TableName source = migration.source();
    try (Admin admin = plain.getAdmin()) {
      for (SnapshotDescription snapshot : admin.listSnapshots()) {
        if (source.equals(snapshot.getTableName()) && snapshot.getCreationTime() > sinceMs) {
          return;
        }
      }
    }
    throw new MigrationException(
        migration.table(),
        "generation that is used again was open without the guard while it was not in use",
        "generation=" + source + " in_use=" + migration.target(),
        "the rollback compares all rows, and removes those that only this generation has: to keep them, take a snapshot of it, named closed-…, and repeat the command");
  }

  /** Drops the source of a renaming that is finished. */
  public void dropSource(Migration migration) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      deleteIfThere(admin, migration.source());
    }
  }

  /**
   * Has the clone's links to files of the source replaced by files, if HBase would misread them:
   * the master's guard refuses splits and merges until then.
   */
  public void replaceMisreadLinks(Migration migration) throws IOException {
    if (DerivedTable.isMisread(migration.source().getNameAsString())) {
      try (Admin admin = plain.getAdmin()) {
        admin.majorCompact(migration.target());
      }
    }
  }

  /** Writes what region servers hold in memory to files, so that few cells are read there. */
  public void flush(TableName generation) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      admin.flush(generation);
    }
  }

  /**
   * The rows, in hex, at which the rounds of a copy begin: each of some fifty gigabytes, so that
   * not much is done again after a kill, and yet few files are made.
   */
  public List<String> rounds(TableName source) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      byte[][] starts =
          admin.getRegions(source).stream()
              .filter(RegionReplicaUtil::isDefaultReplica)
              .map(RegionInfo::getStartKey)
              .toArray(byte[][]::new);
      long full = (long) (StoredSize.megabytes(admin, source) / ROUND_MEGABYTES);
      int most = (int) Math.min(full + 1, starts.length);
      return RegionRanges.into(most, starts).stream()
          .map(range -> ByteText.hex(range.start()))
          .toList();
    }
  }
}
