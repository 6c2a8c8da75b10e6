/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import org.apache.hadoop.fs.LocalFileSystem;

/**
 * The local file system, with a name by which HBase knows it again: files that are loaded from it
 * are moved to where HBase keeps its own, as they are on HDFS, rather than copied. Hadoop makes it
 * by its name.
 */
public final class LocalFiles extends LocalFileSystem {
  /** The local file system, not yet initialised. */
  public LocalFiles() {
    super(new PosixFiles());
  }

  @Override
  public String getCanonicalServiceName() {
    return getUri().toString();
  }
}
