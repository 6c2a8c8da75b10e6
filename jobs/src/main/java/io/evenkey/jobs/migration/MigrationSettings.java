/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import org.apache.hadoop.fs.Path;

/**
 * The settings of a migrator; the registry has the migration itself. Immutable.
 *
 * @param work a directory, best on the file system that HBase is on, made if need be: each attempt
 *     at a part of the copy makes its files in a new directory in it. Only those are deleted
 * @param most the number of differing rows at which a comparison stops
 */
public record MigrationSettings(Path work, int most) {
  /** The default settings. */
  public static MigrationSettings in(Path work) {
    return new MigrationSettings(work, 1_000_000);
  }
}
