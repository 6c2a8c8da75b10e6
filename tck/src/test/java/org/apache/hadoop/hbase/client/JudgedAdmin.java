package org.apache.hadoop.hbase.client;

import java.io.IOException;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.TableName;

/**
 * Evenkey's admin, for tests that take every admin for an object of HBase's private class: what
 * creates and changes tables is Evenkey's.
 */
class JudgedAdmin extends HBaseAdmin {
  private final Admin judged;

  JudgedAdmin(ClusterConnection connection, Admin judged) throws IOException {
    super(connection);
    this.judged = judged;
  }

  @Override
  public Future<Void> createTableAsync(TableDescriptor desc) throws IOException {
    return judged.createTableAsync(desc);
  }

  @Override
  public void createTable(TableDescriptor desc, byte[] startKey, byte[] endKey, int regions)
      throws IOException {
    judged.createTable(desc, startKey, endKey, regions);
  }

  @Override
  public Future<Void> createTableAsync(TableDescriptor desc, byte[][] splitKeys)
      throws IOException {
    return judged.createTableAsync(desc, splitKeys);
  }

  @Override
  public Future<Void> deleteTableAsync(TableName tableName) throws IOException {
    return judged.deleteTableAsync(tableName);
  }

  @Override
  public Future<Void> truncateTableAsync(TableName tableName, boolean preserveSplits)
      throws IOException {
    return judged.truncateTableAsync(tableName, preserveSplits);
  }
}
