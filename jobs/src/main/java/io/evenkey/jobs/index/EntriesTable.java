/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.index.EntryFamily;
import io.evenkey.client.internal.verify.LastMigration;
import io.evenkey.jobs.security.TableRights;
import io.evenkey.jobs.table.ServerGroup;
import io.evenkey.jobs.table.TableCreation;
import io.evenkey.jobs.table.TableQuotas;
import io.evenkey.jobs.table.TableRemoval;
import io.evenkey.layout.Layout;
import io.evenkey.layout.split.SplitPlan;
import io.evenkey.protocol.guard.DescribedIndexes;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** The table of HBase's that has the entries of an index. Not thread-safe. */
final class EntriesTable {
  private final IndexControl control;
  private final TableIndex index;
  private final TableName name;

  /**
   * @param index whose layout has all fields of the table's key
   */
  EntriesTable(IndexControl control, TableIndex index) {
    this.control = control;
    this.index = index;
    this.name = name(control, index.name());
  }

  TableName name() {
    return name;
  }

  /** The families that the index's columns are in. */
  Set<String> families() {
    Set<String> families = new LinkedHashSet<>();
    index.columnNames().forEach(column -> families.add(column.family()));
    return families;
  }

  /**
   * Checks that no other table has the name.
   *
   * @throws IndexLifeException if one has
   */
  void checkName() throws IOException {
    checkName(control, index.name());
  }

  private static void checkName(IndexControl control, String index) throws IOException {
    if (find(control, index) == NameHolder.OTHER) {
      throw IndexLifeException.of(
          control.table(),
          "another table has the name of the index's table",
          "index=" + index + " other=" + name(control, index),
          "give the index another name, or drop that table");
    }
  }

  private static TableName name(IndexControl control, String index) {
    return TableName.valueOf(TableIndex.tableName(control.table().getNameAsString(), index));
  }

  /** The holder of the name of an index's table. */
  enum NameHolder {
    /** No table. */
    NONE,
    /** The index's table, also one that a command has left that was killed. */
    OWN,
    /** Another table. */
    OTHER
  }

  /** Looks for a table of the name of an index's table. */
  static NameHolder find(IndexControl control, String index) throws IOException {
    TableName name = name(control, index);
    TableName physical = LastMigration.generation(control.plain(), control.registry(), name);
    try (Admin admin = control.plain().getAdmin()) {
      if (!admin.tableExists(physical)) {
        return NameHolder.NONE;
      }
      return isOwn(control, index, admin.getDescriptor(physical))
          ? NameHolder.OWN
          : NameHolder.OTHER;
    }
  }

  private static boolean isOwn(IndexControl control, String index, TableDescriptor there)
      throws IOException {
    String indexed = there.getValue(DescribedIndexes.INDEXED_TABLE_KEY);
    if (!control.table().getNameAsString().equals(indexed)) {
      return false;
    }
    String entries = there.getValue(DescribedIndexes.ENTRIES_TABLE_KEY);
    // One of an earlier snapshot of Evenkey may be a copy, unless a command has begun the index.
    return entries == null
        ? control.registry().indexes().get(control.table(), index).isPresent()
        : entries.equals(name(control, index).getNameAsString());
  }

  /** Sets the quotas of the indexed table on it, too; the filling is not held up by them. */
  void copyQuotas() throws IOException {
    new TableQuotas(control.plain()).copy(control.physical(), name);
  }

  /** Creates it and replaces one that an earlier attempt has left; users get their rights. */
  void create(SplitPlan splits) throws IOException {
    drop();
    make(splits);
    control.registry().layouts().record(name, index.layout().toString());
    new TableRights(control.plain()).copyToIndex(control.physical(), name, families());
  }

  /**
   * Has the master create it.
   *
   * @throws IOException if it is there by now
   */
  void make(SplitPlan splits) throws IOException {
    Layout layout = index.layout();
    try (Admin admin = control.plain().getAdmin()) {
      TableDescriptor indexed = control.descriptor();
      TableDescriptor table =
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(family(indexed))
              .setDurability(durability(indexed.getDurability()))
              .setValue(DescribedIndexes.INDEXED_TABLE_KEY, control.table().getNameAsString())
              .setValue(DescribedIndexes.ENTRIES_TABLE_KEY, name.getNameAsString())
              .build();
      TableDescriptor spread =
          ServerGroup.like(control.plain(), control.physical(), TableLayout.with(table, layout));
      byte[][] keys = splits.keys().isEmpty() ? null : splits.toArray();
      TableCreation.run(
          name, () -> admin.createTable(spread, keys), "run the command again, which goes on");
    }
  }

  // A row may be synced though its table does not ask for it, and its entry is on another server.
  private static Durability durability(Durability indexed) {
    return indexed == Durability.FSYNC_WAL ? indexed : Durability.SYNC_WAL;
  }

  /** An entry must not end before the cells that it is of. */
  private ColumnFamilyDescriptor family(TableDescriptor indexed) {
    ColumnFamilyDescriptor like = RowLife.families(indexed, index).get(0);
    return ColumnFamilyDescriptorBuilder.newBuilder(EntryFamily.name())
        .setTimeToLive(RowLife.of(indexed, index).ofEntries())
        .setCompressionType(like.getCompressionType())
        .setDataBlockEncoding(like.getDataBlockEncoding())
        .setEncryptionType(like.getEncryptionType())
        .build();
  }

  /** Deletes it if it is there. */
  void drop() throws IOException {
    drop(control, index.name());
  }

  /**
   * Deletes the table of an index, if it is there. The indexed table has no such index any more;
   * first, all its regions act by that, or they would ask clients for entries that cannot be
   * written. The master refuses to delete the table of an index that was added again.
   *
   * @throws IndexLifeException if another command has added the index again
   */
  static void drop(IndexControl control, String index) throws IOException {
    control.settle();
    control.check(index, null);
    TableName name = name(control, index);
    checkName(control, index);
    TableName physical = LastMigration.generation(control.plain(), control.registry(), name);
    try (Admin admin = control.plain().getAdmin()) {
      if (admin.tableExists(physical)) {
        TableRemoval.disable(admin, physical);
        delete(control, index, admin, physical);
      }
    }
    control.registry().layouts().forget(physical);
    control.registry().migrations().forget(name);
  }

  /** Deletes the disabled table, or enables it if the index was added again. */
  static void delete(IndexControl control, String index, Admin admin, TableName physical)
      throws IOException {
    try {
      control.check(index, null);
      admin.deleteTable(physical);
    } catch (IOException e) {
      if (control.indexes().get(index).isPresent()) {
        admin.enableTable(physical);
      }
      throw e;
    }
  }

  @Override
  public String toString() {
    return name.toString();
  }
}
