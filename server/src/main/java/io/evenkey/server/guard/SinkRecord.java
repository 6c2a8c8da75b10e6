/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * The record that HBase's replication has written to a region's table: an empty file in the table's
 * directory. So it outlives the region and its servers, and goes when the table is dropped, or an
 * operator says that the replication has ended. A region looks for the file at its first write of
 * replication. Thread-safe.
 */
final class SinkRecord {
  private static final String FILE = "replicated";

  private final FileSystem files;
  private final Path file;
  private volatile boolean isKept;

  SinkRecord(HRegion region) {
    files = region.getRegionFileSystem().getFileSystem();
    file =
        new Path(
            new Path(region.getRegionFileSystem().getTableDir(), GuardedOpens.DIRECTORY), FILE);
  }

  /** Replication is about to write. */
  void keep() throws IOException {
    if (!isKept) {
      create();
    }
  }

  private synchronized void create() throws IOException {
    if (!isKept) {
      try {
        files.createNewFile(file);
      } catch (IOException e) {
        // Another server may create it too.
        if (!files.exists(file)) {
          throw e;
        }
      }
      isKept = true;
    }
  }

  /** The next write is recorded again. */
  synchronized void forget() {
    isKept = false;
  }

  /** Deletes the record, and {@linkplain #forget forgets} it. */
  synchronized void delete() throws IOException {
    isKept = false;
    files.delete(file, false);
  }

  /** When the file was created, milliseconds since 1970; 0 if there is none. */
  long sinceMs() throws IOException {
    try {
      return files.getFileStatus(file).getModificationTime();
    } catch (FileNotFoundException e) {
      return 0;
    }
  }
}
