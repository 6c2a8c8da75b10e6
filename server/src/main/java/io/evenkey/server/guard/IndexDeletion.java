/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.layout.index.TableIndex;
import java.io.IOException;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.FSTableDescriptors;

/**
 * The deletion of an index's table. While the indexed table has the index in its descriptor,
 * clients write entries before rows, and could write no row any more. Stateless.
 */
final class IndexDeletion {
  /** The end of the name of a generation, as in {@code orders.g2}; the first one may have none. */
  private static final String GENERATION = "(\\.g[0-9]+)?";

  private IndexDeletion() {}

  /**
   * Checks whether a table may be deleted. Generations that a migration has left, of the index's
   * table or of the indexed one, do not matter.
   *
   * @param root HBase's root directory, which has the descriptors of the indexed table
   * @throws DoNotRetryIOException if clients write entries into it
   */
  static void check(FileSystem files, Path root, TableDescriptor table) throws IOException {
    TableText entries = TableText.of(table);
    if (entries.indexedTable() == null || !DescriptorGuard.isAtRest(entries.state())) {
      return;
    }
    TableName indexed = TableName.valueOf(entries.indexedTable());
    Pattern generations = generations(indexed.getQualifierAsString());
    FileStatus[] directories =
        files.listStatus(
            CommonFSUtils.getNamespaceDir(root, indexed.getNamespaceAsString()),
            directory -> generations.matcher(directory.getName()).matches());
    for (FileStatus directory : directories) {
      TableDescriptor now = FSTableDescriptors.getTableDescriptorFromFs(files, directory.getPath());
      if (now != null) {
        check(table.getTableName(), indexed, TableText.of(now));
      }
    }
  }

  private static void check(TableName entries, TableName indexed, TableText generation)
      throws DoNotRetryIOException {
    if (!DescriptorGuard.isAtRest(generation.state())) {
      return;
    }
    for (TableIndex index : generation.understoodIndexes()) {
      Pattern own = generations(index.tableName(indexed.getNameAsString()));
      if (own.matcher(entries.getNameAsString()).matches()) {
        throw new DoNotRetryIOException(
            "table of an index cannot be deleted: table="
                + entries
                + " index_of="
                + indexed
                + " state="
                + index.state()
                + "; clients could not write to the indexed table any more: evenkey index drop "
                + indexed
                + " "
                + index.name()
                + ", or delete the indexed table first");
      }
    }
  }

  private static Pattern generations(String table) {
    return Pattern.compile(Pattern.quote(table) + GENERATION);
  }
}
