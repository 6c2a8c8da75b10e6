/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.protocol.guard.DescribedIndexes;
import io.evenkey.protocol.index.TableIndexes;
import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * The indexes of a table that HBase restores under the name that it had: from a backup, by which it
 * is created or emptied and then loaded, or as the clone of a snapshot. Its entries are of another
 * moment than its rows, if they are there at all. So the master's guard puts its indexes into a
 * state in which they are not read, and in which rows may come without entries, until a command of
 * Evenkey's has compared them with the rows.
 *
 * <p>No hook can change the descriptor of a clone before its regions open. So while it is made, a
 * file in HBase's root directory says that its indexes are not read; regions that open go by that,
 * and the descriptor says the same when the clone is complete. Stateless.
 */
final class RestoredIndexes {
  private static final Path DIRECTORY = new Path(".evenkey", "restored");

  private RestoredIndexes() {}

  /** The descriptor of a table at rest with none of its own indexes read; the same if none is. */
  static TableDescriptor unread(TableDescriptor table) {
    TableText text = TableText.of(table);
    String next = unread(text);
    return next.equals(text.indexes())
        ? table
        : TableDescriptorBuilder.newBuilder(table)
            .setValue(
                DescribedIndexes.DESCRIPTOR_KEY,
                DescribedIndexes.valueFor(text.table(), TableIndexes.parse(next)))
            .build();
  }

  private static String unread(TableText table) {
    if (table.indexes().isEmpty() || !DescriptorGuard.isAtRest(table.state())) {
      return table.indexes();
    }
    try {
      return TableIndexes.parse(table.indexes()).unverified().toString();
    } catch (RuntimeException e) {
      // Of a later version, whose clients alone read them.
      return table.indexes();
    }
  }

  /**
   * The values in the descriptor of a region's table, by which the region acts.
   *
   * @param tableDirectory of the region's table
   */
  static TableText text(FileSystem files, Path tableDirectory, TableDescriptor table)
      throws IOException {
    TableText text = TableText.of(table);
    String next = unread(text);
    if (next.equals(text.indexes())) {
      return text;
    }
    // HBase's root directory, its data, the namespace, the table.
    Path root = tableDirectory.getParent().getParent().getParent();
    return files.exists(file(root, table.getTableName())) ? text.withIndexes(next) : text;
  }

  /** A table is about to be made. */
  static void begin(FileSystem files, Path root, TableDescriptor table) throws IOException {
    if (unread(table) != table) {
      files.create(file(root, table.getTableName()), true).close();
    }
  }

  /** Whether the table that was made is a clone with indexes that are not to be read. */
  static boolean isBegun(FileSystem files, Path root, TableName table) throws IOException {
    return files.exists(file(root, table));
  }

  /** The descriptor of the table says it from now on. */
  static void end(FileSystem files, Path root, TableName table) throws IOException {
    files.delete(file(root, table), false);
  }

  private static Path file(Path root, TableName table) {
    return new Path(
        new Path(new Path(root, DIRECTORY), table.getNamespaceAsString()),
        table.getQualifierAsString());
  }
}
