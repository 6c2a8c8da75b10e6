/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.generation;

import io.evenkey.client.internal.catalog.DeclaredKeys;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.guard.OtherClusters;
import io.evenkey.jobs.guard.OtherWriters;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.security.CellSecurity;
import io.evenkey.jobs.table.ServerGroup;
import io.evenkey.jobs.table.TableQuotas;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.guard.GuardClasses;
import io.evenkey.protocol.index.TableIndexes;
import io.evenkey.protocol.naming.DerivedTable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.CoprocessorDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.quotas.QuotaSettings;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.security.AccessControlException;

/**
 * Refuses migrations that would lose something, by name and with the reason: before anything is
 * changed. As thread-safe as the connection.
 */
public final class MigrationChecks {
  private static final String WRITTEN_BY_REPLICATION =
      OtherClusters.WRITE + ", and would continue under the old layout: ";

  /** Descriptor value: classes of coprocessors that write nothing, as the operator says. */
  private static final String READ_ONLY_COPROCESSORS = "EVENKEY_READ_ONLY_COPROCESSORS";

  /** HBase's own coprocessors for tables that write nothing. */
  private static final Set<String> READ_ONLY =
      Set.of(
          "org.apache.hadoop.hbase.constraint.ConstraintProcessor",
          "org.apache.hadoop.hbase.coprocessor.AggregateImplementation",
          "org.apache.hadoop.hbase.coprocessor.Export",
          "org.apache.hadoop.hbase.coprocessor.MetaTableMetrics");

  private final Connection plain;

  public MigrationChecks(Connection plain) {
    this.plain = plain;
  }

  private TableDescriptor descriptor(TableName table) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return admin.getDescriptor(table);
    }
  }

  /**
   * Refuses what would lose something.
   *
   * @throws MigrationException if the table cannot be migrated to this layout live
   */
  public void check(TableName source, Layout from, Layout to) throws IOException {
    checkKind(source);
    checkOthers(source);
    if (from.spread().isRandom() || to.spread().isRandom()) {
      throw refused(
          source,
          "rows of a random salt cannot be found by their keys: from=" + from + " to=" + to,
          "export and import them");
    }
    String keys = DeclaredKeys.keyOf(from);
    String others = DeclaredKeys.keyOf(to);
    if (!keys.equals(others)) {
      throw refused(
          source,
          "migration would change the logical keys that applications use: from="
              + keys
              + " to="
              + others,
          "keep the fields and their order, or " + Remedy.CHANGE_KEY);
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
    TableIndexes indexes = TableLayout.indexes(descriptor(source));
    if (!indexes.isEmpty()) {
      throw refused(
          source,
          "table has indexes, whose entries contain the old keys: indexes="
              + String.join(",", indexes.names()),
          "drop them, change the key, and add them again");
    }
    checkOthers(source);
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      if (takesColumns && family.getKeepDeletedCells() != KeepDeletedCells.FALSE) {
        throw refused(
            source,
            "a change of the key deletes rows under their old keys, and a family keeps deleted"
                + " cells: family="
                + family.getNameAsString()
                + " KEEP_DELETED_CELLS="
                + family.getKeepDeletedCells(),
            "set it to FALSE, or take no field of the key from a column");
      }
    }
  }

  /**
   * Refuses a table with indexes: without the guard, clients that do not know them could write to
   * the next generation.
   *
   * @throws MigrationException if it has one
   */
  public void checkNoIndexes(TableName source) throws IOException {
    TableIndexes indexes = TableLayout.indexes(descriptor(source));
    if (!indexes.isEmpty()) {
      throw refused(
          source,
          "table has indexes, which need the guard: indexes=" + String.join(",", indexes.names()),
          "install the guard on all region servers, or drop the indexes");
    }
  }

  private static boolean isSafe(TableDescriptor table, String coprocessor) {
    String declared = table.getValue(READ_ONLY_COPROCESSORS);
    return coprocessor.equals(GuardClasses.REGION)
        || READ_ONLY.contains(coprocessor)
        || declared != null && List.of(declared.trim().split("\\s*,\\s*")).contains(coprocessor);
  }

  /**
   * Refuses a migration without the guard of a table with quotas: HBase keeps them by its name.
   *
   * @throws MigrationException if it has one
   */
  public void checkNoQuotas(TableName source) throws IOException {
    List<QuotaSettings> quotas = new TableQuotas(plain).of(source);
    if (!quotas.isEmpty()) {
      throw refused(
          source,
          "table has quotas, which HBase keeps by its name: " + quotas.get(0),
          "install the guard on all region servers, or remove them, migrate, and set them on the"
              + " next generation");
    }
  }

  /**
   * Refuses a migration for whose tables the namespace has no room.
   *
   * @param tables that are made
   * @param regions that they have
   * @throws MigrationException if a quota of the namespace would be exceeded
   */
  public void checkNamespace(TableName source, int tables, int regions) throws IOException {
    String full = new TableQuotas(plain).full(source, tables, regions);
    if (full != null) {
      throw refused(
          source, full, "raise it for the time of the migration in HBase's shell: alter_namespace");
    }
  }

  /**
   * Refuses a migration for whose tables the group of region servers has too few servers.
   *
   * @throws MigrationException if it has
   */
  private void checkGroup(TableName source) throws IOException {
    String tooSmall = ServerGroup.tooSmall(plain, descriptor(source));
    if (tooSmall != null) {
      throw refused(
          source,
          tooSmall,
          "start servers of the group, or move some into it in HBase's shell:"
              + " move_servers_rsgroup");
    }
  }

  /** The number of regions that a table has. */
  public int regions(TableName table) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return admin.tableExists(table) ? admin.getRegions(table).size() : 0;
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
      if (!isSafe(table, coprocessor.getClassName())) {
        throw refused(
            source,
            "table has a coprocessor that may write: class="
                + coprocessor.getClassName()
                + ", and what it writes would stay in one generation",
            "take it off, migrate, and put it on the next generation; or, if it writes nothing, add"
                + " the class to "
                + READ_ONLY_COPROCESSORS
                + " in the table's descriptor");
      }
    }
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      if (family.isNewVersionBehavior()) {
        throw refused(
            source,
            "what a delete hides depends on the order of the writes, which a copy does not"
                + " preserve: family="
                + family.getNameAsString()
                + " NEW_VERSION_BEHAVIOR=true",
            "export and import the table, or set it to false");
      }
    }
    checkCells(source);
    checkGroup(source);
  }

  /**
   * Refuses a replicated table, and one to which another cluster replicates.
   *
   * @throws MigrationException if the table is of such a kind
   */
  public void checkNotReplicated(TableName source) throws IOException {
    for (ColumnFamilyDescriptor family : descriptor(source).getColumnFamilies()) {
      if (family.getScope() != HConstants.REPLICATION_SCOPE_LOCAL) {
        throw refused(
            source,
            "table is replicated, and its peer is migrated with it only with the guard, and with all"
                + " rows copied: family="
                + family.getNameAsString(),
            "stop its replication, migrate it, and replicate the next generation");
      }
    }
    checkNoSink(source);
  }

  /**
   * Refuses a table to which another cluster replicates.
   *
   * @throws MigrationException if one does
   */
  public void checkNoSink(TableName source) throws IOException {
    String replicated = new OtherClusters(plain).writes(source);
    if (replicated != null) {
      throw refused(source, WRITTEN_BY_REPLICATION + replicated, OtherClusters.REMEDY);
    }
  }

  /**
   * Refuses a table with region replicas: they may not see what is moved in its files, and without
   * the guard nothing keeps clients from reading them.
   *
   * @throws MigrationException if it has some
   */
  public void checkNoReplicas(TableName source) throws IOException {
    int replicas = descriptor(source).getRegionReplication();
    if (replicas > 1) {
      throw refused(
          source,
          "table has region replicas: replicas=" + replicas,
          "have all rows copied with the guard on all region servers; or set REGION_REPLICATION to"
              + " 1, migrate, and set it on the next generation");
    }
  }

  /**
   * Refuses to clone a table if HBase would misread links to its files.
   *
   * @param instead how rows are taken over without a clone
   * @throws MigrationException if regions of the clone could not be split
   */
  public static void checkClone(TableName source, String instead) throws MigrationException {
    if (DerivedTable.isMisread(source.getNameAsString())) {
      String name = source.getNameAsString();
      throw refused(
          source,
          "regions of a clone could not be split, because HBase takes links to this table for a"
              + " file '"
              + name.substring(0, name.indexOf('.'))
              + "'",
          instead);
    }
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
            "moved rows are deleted at their old place, and a family keeps deleted cells: family="
                + family.getNameAsString()
                + " KEEP_DELETED_CELLS="
                + family.getKeepDeletedCells(),
            Remedy.COPY_ALL.toString());
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
          "region replicas would answer reads under the old layout: replicas="
              + table.getRegionReplication(),
          "set REGION_REPLICATION to 1 and back afterwards");
    }
    if (OtherWriters.mayWrite(table)) {
      throw noStep(
          source,
          "clients that name no layout may write any row, and would write rows after the step under"
              + " the old layout: "
              + OtherWriters.ALLOWED,
          OtherWriters.REMEDY);
    }
    checkCells(source);
  }

  private void checkOthers(TableName source) throws IOException {
    if (OtherWriters.mayWrite(descriptor(source))) {
      throw refused(
          source,
          "clients that name no layout may write any row, and would continue under the old layout: "
              + OtherWriters.ALLOWED,
          OtherWriters.REMEDY);
    }
  }

  private void checkCells(TableName source) throws IOException {
    CellSecurity.Obstacle obstacle = CellSecurity.obstacle(plain, source).orElse(null);
    if (obstacle != null) {
      throw refused(source, obstacle.reason(), obstacle.remedy());
    }
  }

  private static MigrationException noStep(TableName table, String why, String remedy) {
    return new MigrationException(
        table, "salt of the table cannot get a step", "reason=" + why, remedy);
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
          source,
          "files of the table cannot be read",
          "path=" + files,
          "set "
              + HConstants.HBASE_DIR
              + " as the servers have it, and have the rights to read it; or "
              + Remedy.COPY_BY_FILES);
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
    return new MigrationException(table, "table cannot be migrated live", "reason=" + why, remedy);
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
          Remedy.RECORD_LAYOUT + " first");
    }
    return own;
  }
}
