/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.generation;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.migration.row.NextKeys;
import io.evenkey.jobs.security.CellSecurity;
import io.evenkey.jobs.security.TableRights;
import io.evenkey.jobs.split.StoredSize;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.guard.GuardClasses;
import io.evenkey.layout.guard.GuardMode;
import io.evenkey.layout.guard.GuardState;
import io.evenkey.layout.index.TableIndexes;
import io.evenkey.layout.split.SplitPlan;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.CoprocessorDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * The tables that generations are: made, marked and tidied up. All of it can be done again. As
 * thread-safe as the connection.
 */
public final class Generations {
  private static final int ROUND_MEGABYTES = 50 * 1_024;

  private static final String RAW_WRITES = "EVENKEY_RAW_WRITES";

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

  /**
   * The layout of a generation whose row key is to be changed.
   *
   * @throws MigrationException if it has none, so that the fields of its keys are not known
   */
  public Layout ownLayout(TableName generation) throws IOException {
    Layout own = TableLayout.of(descriptor(generation));
    if (own == null) {
      throw refused(
          generation,
          "table has no layout, so that the fields of its row key are not known",
          "record them first: evenkey adopt");
    }
    return own;
  }

  /**
   * Refuses what would lose something.
   *
   * @throws MigrationException if the table cannot be migrated to this layout live
   */
  public void check(TableName source, Layout from, Layout to) throws IOException {
    checkKind(source);
    if (from.spread().isFree() || to.spread().isFree()) {
      throw refused(
          source,
          "rows of a free salt cannot be found by their keys: from=" + from + " to=" + to,
          "export and import them");
    }
    String keys = from.key().unreversed().toString();
    String others = to.key().unreversed().toString();
    if (!keys.equals(others)) {
      throw refused(
          source,
          "logical keys would change, which applications use: from=" + keys + " to=" + others,
          "keep the fields and their order, or change the row key: --change-key");
    }
    if (from.equals(to)) {
      throw refused(source, "table has this layout already: " + to, "name another one");
    }
  }

  /**
   * Refuses what would lose something if the row key is changed.
   *
   * @param takesColumns whether fields of the next key are taken from columns
   * @throws MigrationException if the row key of the table cannot be changed live
   */
  public void checkKeyChange(TableName source, boolean takesColumns) throws IOException {
    checkKind(source);
    TableDescriptor table = descriptor(source);
    TableIndexes indexes = indexes(source);
    if (!indexes.isEmpty()) {
      throw refused(
          source,
          "table has indexes, whose entries name the keys before: indexes="
              + String.join(",", indexes.names()),
          "drop them, change the key, and add them again");
    }
    if (isAllowed(table.getValue(RAW_WRITES))) {
      throw refused(
          source,
          "clients that name no layout may write, and would write rows by the key before: "
              + RAW_WRITES
              + "=allow",
          "remove it from the table's descriptor first");
    }
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      if (takesColumns && family.getKeepDeletedCells() != KeepDeletedCells.FALSE) {
        throw refused(
            source,
            "a row whose key changes is deleted at its place before, and a family keeps what was"
                + " deleted: family="
                + family.getNameAsString()
                + " KEEP_DELETED_CELLS="
                + family.getKeepDeletedCells(),
            "set it to FALSE, or take no field of the key from a column");
      }
    }
  }

  /** Whether the row key of a generation was changed, by this migration or an earlier one. */
  public boolean isKeyChanged(TableName generation) throws IOException {
    return TableLayout.isKeyChanged(descriptor(generation));
  }

  /** The indexes of a generation, which the next one gets too: their entries name logical keys. */
  public TableIndexes indexes(TableName generation) throws IOException {
    return TableLayout.indexes(descriptor(generation));
  }

  /**
   * Refuses a table with indexes: without the guard, clients that do not know them could write to
   * the next generation.
   *
   * @throws MigrationException if it has one
   */
  public void checkNoIndexes(TableName source) throws IOException {
    TableIndexes indexes = indexes(source);
    if (!indexes.isEmpty()) {
      throw refused(
          source,
          "table has indexes, which need the guard: indexes=" + String.join(",", indexes.names()),
          "install the guard on all region servers, or drop the indexes");
    }
  }

  /**
   * Refuses tables that cannot be migrated to any layout.
   *
   * @throws MigrationException if the table is of such a kind
   */
  public void checkKind(TableName source) throws IOException {
    TableDescriptor table = descriptor(source);
    for (CoprocessorDescriptor coprocessor : table.getCoprocessorDescriptors()) {
      if (!coprocessor.getClassName().equals(GuardClasses.REGION)) {
        throw refused(
            source,
            "table has coprocessors: "
                + coprocessor.getClassName()
                + "; what they write would stay in one generation",
            "take them off, migrate, and put them on the next generation");
      }
    }
    if (table.getRegionReplication() > 1) {
      throw refused(
          source,
          "table has region replicas, which answer reads without the guard's fence: replicas="
              + table.getRegionReplication(),
          "set REGION_REPLICATION to 1, migrate, and set it on the next generation");
    }
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      if (family.getScope() != HConstants.REPLICATION_SCOPE_LOCAL) {
        throw refused(
            source,
            "table is replicated: family=" + family.getNameAsString(),
            "stop its replication, migrate it, and replicate the next generation");
      }
      if (family.isNewVersionBehavior()) {
        throw refused(
            source,
            "what a deletion hides depends on the order of the writes, which a copy does not have:"
                + " family="
                + family.getNameAsString()
                + " NEW_VERSION_BEHAVIOR=true",
            "export and import the table, or set it to false");
      }
    }
    List<String> quotas = new TableRights(plain).quotas(source);
    if (!quotas.isEmpty()) {
      throw refused(
          source,
          "table has quotas, which HBase keeps by its name: " + quotas.get(0),
          "remove them, migrate, and set them on the next generation");
    }
    checkCells(source);
  }

  /**
   * Refuses tables in which a row that is moved would stay at its old place as well.
   *
   * @throws MigrationException if a family keeps what was deleted
   */
  public void checkRewriting(TableName source) throws IOException {
    for (ColumnFamilyDescriptor family : descriptor(source).getColumnFamilies()) {
      if (family.getKeepDeletedCells() != KeepDeletedCells.FALSE) {
        throw refused(
            source,
            "rows that are moved are deleted at their old place, and a family keeps what was"
                + " deleted: family="
                + family.getNameAsString()
                + " KEEP_DELETED_CELLS="
                + family.getKeepDeletedCells(),
            "have all rows copied: --copy");
      }
    }
  }

  /**
   * Refuses tables whose salt cannot get a step while they are used.
   *
   * @throws MigrationException if the table is of such a kind
   */
  public void checkStep(TableName source) throws IOException {
    TableDescriptor table = descriptor(source);
    if (table.getRegionReplication() > 1) {
      throw noStep(
          source,
          "region replicas answer reads by the layout before: replicas="
              + table.getRegionReplication(),
          "set REGION_REPLICATION to 1 and back afterwards");
    }
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      if (family.getScope() != HConstants.REPLICATION_SCOPE_LOCAL) {
        throw noStep(
            source,
            "table is replicated, and the other cluster's would keep its layout: family="
                + family.getNameAsString(),
            "stop its replication first");
      }
    }
    if (isAllowed(table.getValue(RAW_WRITES))) {
      throw noStep(
          source,
          "clients that name no layout may write, and would write rows after the step by the layout"
              + " before: "
              + RAW_WRITES
              + "=allow",
          "remove it from the table's descriptor first");
    }
    checkCells(source);
  }

  private static boolean isAllowed(@Nullable String policy) {
    return policy != null && policy.trim().equalsIgnoreCase("allow");
  }

  private void checkCells(TableName source) throws IOException {
    CellSecurity.Obstacle obstacle = CellSecurity.obstacle(plain, source).orElse(null);
    if (obstacle != null) {
      throw refused(source, obstacle.reason(), obstacle.remedy());
    }
  }

  private static MigrationException noStep(TableName table, String why, String remedy) {
    return new MigrationException(
        "salt of the table cannot get a step: table=" + table + " reason=" + why + "; " + remedy);
  }

  /**
   * Refuses a table whose families say themselves for how long compactions keep tombstones.
   *
   * @throws MigrationException if one does
   */
  public void checkOwnTombstones(TableName source) throws IOException {
    String family = KeptTombstones.familyWithSetting(descriptor(source));
    if (family != null) {
      throw refused(
          source,
          "a family has a setting of its own, which the migration has to change: family=" + family,
          "remove it, and set it again when the migration is over");
    }
  }

  /**
   * Refuses a copy by files that cannot be read.
   *
   * @throws MigrationException if the table's own are not found where HBase is configured to have
   *     them
   */
  public void checkFiles(TableName source) throws IOException {
    Configuration configuration = plain.getConfiguration();
    Path files = CommonFSUtils.getTableDir(CommonFSUtils.getRootDir(configuration), source);
    if (!isReadable(files, configuration)) {
      throw new MigrationException(
          "files of the table cannot be read: table="
              + source
              + " path="
              + files
              + "; set "
              + HConstants.HBASE_DIR
              + " as the servers have it, and have the rights to read it; or copy --by files");
    }
  }

  private static boolean isReadable(Path directory, Configuration configuration)
      throws IOException {
    try {
      return directory.getFileSystem(configuration).listStatus(directory).length > 0;
    } catch (FileNotFoundException | AccessControlException e) {
      return false;
    }
  }

  private static MigrationException refused(TableName table, String why, String remedy) {
    return new MigrationException(
        "table cannot be migrated live: table=" + table + " reason=" + why + "; " + remedy);
  }

  /** Makes the next generation, empty, in place of what an earlier attempt has left. */
  public void create(Migration migration, Layout layout, SplitPlan splits) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      if (admin.tableExists(migration.target())) {
        drop(admin, migration);
      }
      TableDescriptor table =
          TableDescriptorBuilder.newBuilder(
                  TableDescriptorBuilder.copy(
                      migration.target(), admin.getDescriptor(migration.source())))
              .setValue(TableLayout.TABLE, migration.table().getNameAsString())
              .build();
      byte[][] keys = splits.keys().isEmpty() ? null : splits.toArray();
      TableDescriptor next =
          migration.keyChange() == null
              ? TableLayout.with(table, layout)
              : TableLayout.withChangedKey(table, layout);
      TableIndexes indexes = indexes(migration.source());
      admin.createTable(
          fenced(migration, indexes.isEmpty() ? next : TableLayout.with(next, indexes)), keys);
      if (migration.takesKeyFromColumns()) {
        try (RegionLocator regions = plain.getRegionLocator(migration.source())) {
          NextKeys.create(admin, regions, migration.target());
        }
      }
    }
    copyRights(migration);
  }

  /** Drops the table of next keys of a migration that is over, if it has one. */
  public void dropNextKeys(Migration migration) throws IOException {
    if (migration.takesKeyFromColumns()) {
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

  /** Gives users the rights on the target that they have on the source. */
  public void copyRights(Migration migration) throws IOException {
    new TableRights(plain).copy(migration.source(), migration.target());
  }

  /** Whether a generation is there. */
  public boolean exists(TableName generation) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return admin.tableExists(generation);
    }
  }

  private static void drop(Admin admin, Migration migration) throws IOException {
    TableDescriptor there = admin.getDescriptor(migration.target());
    if (!migration.table().getNameAsString().equals(there.getValue(TableLayout.TABLE))
        && !isClone(migration, there)) {
      throw new MigrationException(
          "table is in the way of the next generation: table="
              + migration.target()
              + "; rename or drop it");
    }
    delete(admin, migration.target());
    admin.deleteSnapshots(Pattern.compile(Pattern.quote(snapshots(migration.target())) + "[0-9]+"));
  }

  // A run that was killed may have made the clone, and not named its table yet.
  private static boolean isClone(Migration migration, TableDescriptor there) {
    GuardState state = TableGuard.state(there);
    return migration.isRewriting()
        && state.mode() == GuardMode.CLOSED
        && state.other().equals(migration.source().getNameAsString());
  }

  private static void deleteIfThere(Admin admin, TableName table) throws IOException {
    if (admin.tableExists(table)) {
      delete(admin, table);
    }
  }

  private static void delete(Admin admin, TableName table) throws IOException {
    if (admin.isTableEnabled(table)) {
      admin.disableTable(table);
    }
    admin.deleteTable(table);
  }

  /** The prefix of the names of snapshots from which a copy is made. */
  public static String snapshots(TableName target) {
    return "evenkey-" + target.getNameAsString().replace(':', '-') + "-";
  }

  /**
   * Makes the target a clone of the source, closed to clients, in place of the table that had the
   * name before. The source's writes have to be marked since before.
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
      TableDescriptor source = admin.getDescriptor(migration.source());
      TableGuard.store(admin, TableGuard.withClone(source, migration.target(), closed));
      if (!migration.isRewriting()) {
        checkLeft(migration.target());
        deleteIfThere(admin, migration.target());
      } else if (admin.tableExists(migration.target())) {
        drop(admin, migration);
      }
      admin.deleteSnapshots(Pattern.compile(Pattern.quote(snapshot)));
      admin.snapshot(snapshot, migration.source());
      admin.cloneSnapshot(snapshot, migration.target());
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
          "table has the name that a generation is to have: table="
              + table
              + " reason=it was created past Evenkey; rename or drop it, and repeat the command");
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

  /** Drops the target of a migration that was rolled back. */
  public void dropTarget(Migration migration) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      if (admin.tableExists(migration.target()) && !isFormer(admin, migration)) {
        drop(admin, migration);
      }
    }
  }

  // The table that had the name when the renaming began, and still has it.
  private static boolean isFormer(Admin admin, Migration migration) throws IOException {
    return migration.isRenaming()
        && admin.getDescriptor(migration.target()).getValue(TableLayout.TABLE) == null;
  }

  /** Drops the source of a renaming that is finished. */
  public void dropSource(Migration migration) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      deleteIfThere(admin, migration.source());
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
    List<String> rounds = new ArrayList<>();
    try (Admin admin = plain.getAdmin()) {
      List<RegionInfo> regions = admin.getRegions(source);
      long full = (long) (StoredSize.megabytes(admin, source) / ROUND_MEGABYTES);
      int count = (int) Math.min(full + 1, regions.size());
      for (int i = 0; i < count; i++) {
        rounds.add(ByteText.hex(regions.get(regions.size() * i / count).getStartKey()));
      }
    }
    return rounds;
  }
}
