/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import org.apache.hadoop.fs.LocalFileSystem;

/**
 * The local file system under a name that HBase recognizes as its own, so that a bulk load moves
 * files instead of copying them, as on HDFS. Hadoop creates it by its class name.
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
