/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hbase.client;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.HTableDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.replication.ReplicationException;

/**
 * An admin of HBase's own class, to which some of its tools cast every admin, whose calls that
 * change or reopen tables are made by another one, and whose connection is another one.
 *
 * <p>It is in HBase's package, since the constructor is visible only here. As thread-safe as
 * HBase's own.
 */
@SuppressWarnings("deprecation") // what HBase still has in the interface
public final class ForwardingAdmin extends HBaseAdmin {
  private final Connection connection;
  private final Admin changes;

  private ForwardingAdmin(ClusterConnection own, Connection connection, Admin changes)
      throws IOException {
    super(own);
    this.connection = connection;
    this.changes = changes;
  }

  /**
   * An admin.
   *
   * @param own HBase's own connection, by which all is done that changes no table
   * @param connection the one that it says it is of
   * @param changes creates, changes and enables tables
   */
  public static Admin of(Connection own, Connection connection, Admin changes) throws IOException {
    return new ForwardingAdmin((ClusterConnection) own, connection, changes);
  }

  /** Whether a call of an admin is made by the other one. */
  public static boolean forwards(Method call) {
    try {
      return ForwardingAdmin.class
          .getMethod(call.getName(), call.getParameterTypes())
          .getDeclaringClass()
          .equals(ForwardingAdmin.class);
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException("no call of an admin: " + call, e);
    }
  }

  @Override
  public Connection getConnection() {
    return connection;
  }

  @Override
  public void createTable(TableDescriptor descriptor) throws IOException {
    changes.createTable(descriptor);
  }

  @Override
  public void createTable(TableDescriptor descriptor, byte[][] splits) throws IOException {
    changes.createTable(descriptor, splits);
  }

  @Override
  public void createTable(TableDescriptor descriptor, byte[] start, byte[] end, int regions)
      throws IOException {
    changes.createTable(descriptor, start, end, regions);
  }

  @Override
  public Future<Void> createTableAsync(TableDescriptor descriptor) throws IOException {
    return changes.createTableAsync(descriptor);
  }

  @Override
  public Future<Void> createTableAsync(TableDescriptor descriptor, byte[][] splits)
      throws IOException {
    return changes.createTableAsync(descriptor, splits);
  }

  @Override
  public void modifyTable(TableDescriptor descriptor) throws IOException {
    changes.modifyTable(descriptor);
  }

  @Override
  public void modifyTable(TableName table, TableDescriptor descriptor) throws IOException {
    changes.modifyTable(table, descriptor);
  }

  @Override
  public void modifyTable(TableDescriptor descriptor, boolean reopenRegions) throws IOException {
    changes.modifyTable(descriptor, reopenRegions);
  }

  @Override
  public Future<Void> modifyTableAsync(TableDescriptor descriptor) throws IOException {
    return changes.modifyTableAsync(descriptor);
  }

  @Override
  public Future<Void> modifyTableAsync(TableDescriptor descriptor, boolean reopenRegions)
      throws IOException {
    return changes.modifyTableAsync(descriptor, reopenRegions);
  }

  @Override
  public Future<Void> modifyTableAsync(TableName table, TableDescriptor descriptor)
      throws IOException {
    return changes.modifyTableAsync(table, descriptor);
  }

  @Override
  public void deleteTable(TableName table) throws IOException {
    changes.deleteTable(table);
  }

  @Override
  public Future<Void> deleteTableAsync(TableName table) throws IOException {
    return changes.deleteTableAsync(table);
  }

  @Override
  public HTableDescriptor[] deleteTables(String regex) throws IOException {
    return changes.deleteTables(regex);
  }

  @Override
  public HTableDescriptor[] deleteTables(Pattern pattern) throws IOException {
    return changes.deleteTables(pattern);
  }

  @Override
  public void truncateTable(TableName table, boolean preserveSplits) throws IOException {
    changes.truncateTable(table, preserveSplits);
  }

  @Override
  public Future<Void> truncateTableAsync(TableName table, boolean preserveSplits)
      throws IOException {
    return changes.truncateTableAsync(table, preserveSplits);
  }

  @Override
  public void truncateRegion(byte[] region) throws IOException {
    changes.truncateRegion(region);
  }

  @Override
  public Future<Void> truncateRegionAsync(byte[] region) throws IOException {
    return changes.truncateRegionAsync(region);
  }

  @Override
  public void disableTable(TableName table) throws IOException {
    changes.disableTable(table);
  }

  @Override
  public Future<Void> disableTableAsync(TableName table) throws IOException {
    return changes.disableTableAsync(table);
  }

  @Override
  public HTableDescriptor[] disableTables(String regex) throws IOException {
    return changes.disableTables(regex);
  }

  @Override
  public HTableDescriptor[] disableTables(Pattern pattern) throws IOException {
    return changes.disableTables(pattern);
  }

  @Override
  public void addColumn(TableName table, ColumnFamilyDescriptor family) throws IOException {
    changes.addColumn(table, family);
  }

  @Override
  public void addColumnFamily(TableName table, ColumnFamilyDescriptor family) throws IOException {
    changes.addColumnFamily(table, family);
  }

  @Override
  public Future<Void> addColumnFamilyAsync(TableName table, ColumnFamilyDescriptor family)
      throws IOException {
    return changes.addColumnFamilyAsync(table, family);
  }

  @Override
  public void deleteColumn(TableName table, byte[] family) throws IOException {
    changes.deleteColumn(table, family);
  }

  @Override
  public void deleteColumnFamily(TableName table, byte[] family) throws IOException {
    changes.deleteColumnFamily(table, family);
  }

  @Override
  public Future<Void> deleteColumnFamilyAsync(TableName table, byte[] family) throws IOException {
    return changes.deleteColumnFamilyAsync(table, family);
  }

  @Override
  public void modifyColumn(TableName table, ColumnFamilyDescriptor family) throws IOException {
    changes.modifyColumn(table, family);
  }

  @Override
  public void modifyColumnFamily(TableName table, ColumnFamilyDescriptor family)
      throws IOException {
    changes.modifyColumnFamily(table, family);
  }

  @Override
  public Future<Void> modifyColumnFamilyAsync(TableName table, ColumnFamilyDescriptor family)
      throws IOException {
    return changes.modifyColumnFamilyAsync(table, family);
  }

  @Override
  public void modifyColumnFamilyStoreFileTracker(TableName table, byte[] family, String tracker)
      throws IOException {
    changes.modifyColumnFamilyStoreFileTracker(table, family, tracker);
  }

  @Override
  public Future<Void> modifyColumnFamilyStoreFileTrackerAsync(
      TableName table, byte[] family, String tracker) throws IOException {
    return changes.modifyColumnFamilyStoreFileTrackerAsync(table, family, tracker);
  }

  @Override
  public void modifyTableStoreFileTracker(TableName table, String tracker) throws IOException {
    changes.modifyTableStoreFileTracker(table, tracker);
  }

  @Override
  public Future<Void> modifyTableStoreFileTrackerAsync(TableName table, String tracker)
      throws IOException {
    return changes.modifyTableStoreFileTrackerAsync(table, tracker);
  }

  @Override
  public void restoreSnapshot(String snapshot) throws IOException {
    changes.restoreSnapshot(snapshot);
  }

  @Override
  public void restoreSnapshot(byte[] snapshot) throws IOException {
    changes.restoreSnapshot(snapshot);
  }

  @Override
  public void restoreSnapshot(byte[] snapshot, boolean failsafe) throws IOException {
    changes.restoreSnapshot(snapshot, failsafe);
  }

  @Override
  public void restoreSnapshot(String snapshot, boolean failsafe) throws IOException {
    changes.restoreSnapshot(snapshot, failsafe);
  }

  @Override
  public void restoreSnapshot(String snapshot, boolean failsafe, boolean acl) throws IOException {
    changes.restoreSnapshot(snapshot, failsafe, acl);
  }

  @Override
  public Future<Void> restoreSnapshotAsync(String snapshot) throws IOException {
    return changes.restoreSnapshotAsync(snapshot);
  }

  @Override
  public void cloneSnapshot(byte[] snapshot, TableName table) throws IOException {
    changes.cloneSnapshot(snapshot, table);
  }

  @Override
  public void cloneSnapshot(String snapshot, TableName table) throws IOException {
    changes.cloneSnapshot(snapshot, table);
  }

  @Override
  public void cloneSnapshot(String snapshot, TableName table, boolean acl) throws IOException {
    changes.cloneSnapshot(snapshot, table, acl);
  }

  @Override
  public void cloneSnapshot(String snapshot, TableName table, boolean acl, String tracker)
      throws IOException {
    changes.cloneSnapshot(snapshot, table, acl, tracker);
  }

  @Override
  public Future<Void> cloneSnapshotAsync(String snapshot, TableName table) throws IOException {
    return changes.cloneSnapshotAsync(snapshot, table);
  }

  @Override
  public Future<Void> cloneSnapshotAsync(String snapshot, TableName table, boolean acl)
      throws IOException {
    return changes.cloneSnapshotAsync(snapshot, table, acl);
  }

  @Override
  public Future<Void> cloneSnapshotAsync(
      String snapshot, TableName table, boolean acl, String tracker) throws IOException {
    return changes.cloneSnapshotAsync(snapshot, table, acl, tracker);
  }

  @Override
  public void cloneTableSchema(TableName table, TableName copy, boolean preserveSplits)
      throws IOException {
    changes.cloneTableSchema(table, copy, preserveSplits);
  }

  @Override
  public void enableTableReplication(TableName table) throws IOException {
    changes.enableTableReplication(table);
  }

  @Override
  public void disableTableReplication(TableName table) throws IOException {
    changes.disableTableReplication(table);
  }

  @Override
  public void appendReplicationPeerTableCFs(String peer, Map<TableName, List<String>> tables)
      throws ReplicationException, IOException {
    changes.appendReplicationPeerTableCFs(peer, tables);
  }

  @Override
  public void enableTable(TableName table) throws IOException {
    changes.enableTable(table);
  }

  @Override
  public Future<Void> enableTableAsync(TableName table) throws IOException {
    return changes.enableTableAsync(table);
  }

  @Override
  public HTableDescriptor[] enableTables(String regex) throws IOException {
    return changes.enableTables(regex);
  }

  @Override
  public HTableDescriptor[] enableTables(Pattern pattern) throws IOException {
    return changes.enableTables(pattern);
  }
}
