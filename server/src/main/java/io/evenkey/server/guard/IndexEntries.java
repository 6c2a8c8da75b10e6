/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.layout.message.FailureMessage;
import io.evenkey.protocol.guard.DescribedIndexes;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.protocol.naming.DerivedTable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.FSTableDescriptors;
import org.jspecify.annotations.Nullable;

/**
 * The deletion, and the emptying, of an index's table. While the indexed table has the index in its
 * descriptor, clients write entries before rows, and read rows by entries. A table whose descriptor
 * says that it is of an index which is not there is one as any other. Stateless.
 */
final class IndexEntries {
  private IndexEntries() {}

  /** An index, and the table that has it. */
  private record Owner(TableName table, TableIndex index) {}

  /**
   * Checks whether a table may be deleted. Generations that a migration has left, of the index's
   * table or of the indexed one, do not matter.
   *
   * @param root HBase's root directory, which has the descriptors of the indexed table
   * @throws DoNotRetryIOException if clients write entries into it
   */
  static void checkDeletion(FileSystem files, Path root, TableDescriptor table) throws IOException {
    Owner owner = owner(files, root, table);
    if (owner != null) {
      throw new DoNotRetryIOException(
          FailureMessage.of("table of an index cannot be deleted")
              .with("table", table.getTableName())
              .with("index_of", owner.table)
              .with("state", owner.index.state())
              .with("index", owner.index.name())
              .remedy(
                  "clients could not write to the indexed table any more: drop the index, or"
                      + " delete the indexed table first"));
    }
  }

  /**
   * Checks whether a table may be emptied.
   *
   * @throws DoNotRetryIOException if readers of an index would miss rows
   */
  static void checkTruncation(FileSystem files, Path root, TableDescriptor table)
      throws IOException {
    Owner owner = owner(files, root, table);
    if (owner != null) {
      throw new DoNotRetryIOException(
          FailureMessage.of("table of an index cannot be truncated")
              .with("table", table.getTableName())
              .with("index_of", owner.table)
              .remedy(
                  "readers of the index would miss all rows: drop the index, and add it again"));
    }
  }

  /**
   * Checks whether a table may be restored from a snapshot in place.
   *
   * @throws DoNotRetryIOException if readers of an index would miss rows
   */
  static void checkRestore(FileSystem files, Path root, TableDescriptor table) throws IOException {
    Owner owner = owner(files, root, table);
    if (owner != null) {
      throw new DoNotRetryIOException(
          FailureMessage.of("table of an index cannot be restored from a snapshot in place")
              .with("table", table.getTableName())
              .with("index_of", owner.table)
              .remedy(
                  "readers of the index would miss rows written since: clone the snapshot under"
                      + " another name; to correct the index, verify and repair it: index="
                      + owner.index.name()));
    }
  }

  /**
   * Checks whether the descriptor of a table may say another indexed table, or none.
   *
   * @throws DoNotRetryIOException if clients write entries into it
   */
  static void checkOwner(FileSystem files, Path root, TableDescriptor table) throws IOException {
    Owner owner = owner(files, root, table);
    if (owner != null) {
      throw new DoNotRetryIOException(
          FailureMessage.of("indexed table of an index's table cannot be changed")
              .with("table", table.getTableName())
              .with("key", DescribedIndexes.INDEXED_TABLE_KEY)
              .with("index_of", owner.table)
              .remedy(
                  "other clients could write entries: read the descriptor again, change something"
                      + " else, and repeat"));
    }
  }

  private static @Nullable Owner owner(FileSystem files, Path root, TableDescriptor table)
      throws IOException {
    TableText entries = TableText.of(table);
    if (entries.indexedTable() == null || !DescriptorGuard.isAtRest(entries.state())) {
      return null;
    }
    TableName indexed = TableName.valueOf(entries.indexedTable());
    Pattern generations = generations(indexed.getNameAsString());
    Path namespace = CommonFSUtils.getNamespaceDir(root, indexed.getNamespaceAsString());
    FileStatus[] directories;
    try {
      directories =
          files.listStatus(
              namespace, directory -> generations.matcher(name(indexed, directory)).matches());
    } catch (FileNotFoundException e) {
      // No such namespace: the table is a copy from there, or of another cluster.
      return null;
    }
    for (FileStatus directory : directories) {
      TableDescriptor now = FSTableDescriptors.getTableDescriptorFromFs(files, directory.getPath());
      TableIndex index =
          now == null ? null : index(table.getTableName(), indexed, TableText.of(now));
      if (index != null) {
        return new Owner(indexed, index);
      }
    }
    return null;
  }

  private static @Nullable TableIndex index(
      TableName entries, TableName indexed, TableText generation) {
    if (!DescriptorGuard.isAtRest(generation.state())) {
      return null;
    }
    for (TableIndex index : generation.understoodIndexes()) {
      Pattern own = generations(index.tableName(indexed.getNameAsString()));
      if (own.matcher(entries.getNameAsString()).matches()) {
        return index;
      }
    }
    return null;
  }

  private static Pattern generations(String table) {
    return Pattern.compile(DerivedTable.generations(table));
  }

  // Of a table of the same namespace.
  private static String name(TableName indexed, Path directory) {
    String qualifier = directory.getName();
    return NamespaceDescriptor.DEFAULT_NAMESPACE_NAME_STR.equals(indexed.getNamespaceAsString())
        ? qualifier
        : indexed.getNamespaceAsString() + TableName.NAMESPACE_DELIM + qualifier;
  }
}
