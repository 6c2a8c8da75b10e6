/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.FSTableDescriptors;

/**
 * Reads the descriptor of a region's table from the file system: the one that the region itself has
 * is as old as the region's opening, and may be older than that.
 */
final class DescriptorReader {
  private static final int ATTEMPTS = 5;

  private final FileSystem files;
  private final Path tableDirectory;
  private final TableDescriptor otherwise;

  private DescriptorReader(FileSystem files, Path tableDirectory, TableDescriptor otherwise) {
    this.files = files;
    this.tableDirectory = tableDirectory;
    this.otherwise = otherwise;
  }

  static DescriptorReader of(HRegion region) {
    return new DescriptorReader(
        region.getRegionFileSystem().getFileSystem(),
        region.getRegionFileSystem().getTableDir(),
        region.getTableDescriptor());
  }

  TableRules read() throws IOException {
    return rules(table());
  }

  /** The rules by a descriptor that was read. */
  TableRules rules(TableDescriptor table) throws IOException {
    return TableRules.of(RestoredIndexes.text(files, tableDirectory, table));
  }

  /** The descriptor as it is now. */
  TableDescriptor table() throws IOException {
    FileNotFoundException last = null;
    for (int i = 0; i < ATTEMPTS; i++) {
      try {
        TableDescriptor found = FSTableDescriptors.getTableDescriptorFromFs(files, tableDirectory);
        return found == null ? otherwise : found;
      } catch (FileNotFoundException e) {
        // The master has put another file in its place since the directory was listed.
        last = e;
      }
    }
    throw new IOException("descriptor of the table cannot be read: " + tableDirectory, last);
  }

  /** The number of families of the region. */
  int families() {
    return otherwise.getColumnFamilyCount();
  }

  /** The rules of a table whose descriptor cannot be read. */
  TableRules unknown() {
    return TableRules.unknown(TableText.of(otherwise));
  }
}
