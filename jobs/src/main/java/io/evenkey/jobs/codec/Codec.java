/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.codec;

import java.util.Locale;

/** How the blocks inside a Parquet or Avro file are compressed when it is written. */
public enum Codec {
  /** No compression. */
  NONE,
  /** Snappy. */
  SNAPPY,
  /** Gzip in Parquet, which is deflate in Avro. */
  GZIP,
  /** Zstandard. */
  ZSTD;

  /** The name on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
