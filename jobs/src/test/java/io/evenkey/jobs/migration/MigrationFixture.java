/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.jobs.Tables;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** What a test of migrations needs: connections, a name for a table, and a directory for files. */
abstract class MigrationFixture {
  @TempDir java.nio.file.Path directory;
  Connection plain;
  SpreadTables tables;
  Registry registry;

  /** That no other test has. */
  TableName name;

  @BeforeEach
  final void open(Connection shared, TestInfo info) throws IOException {
    plain = shared;
    tables = SpreadTables.on(shared);
    registry = Registry.open(shared.getConfiguration());
    name = Tables.nameOf(info);
  }

  @AfterEach
  final void close() throws IOException {
    tables.close();
    registry.close();
  }

  final MigrationSettings settings() {
    return new MigrationSettings(new Path(directory.toUri()), 10_000);
  }

  /**
   * Kills the process that migrates.
   *
   * @param stage after so many stages of its run
   */
  static MigrationListener killingAfter(int stage) {
    int[] stages = {0};
    return new MigrationListener() {
      @Override
      public void stage(Migration at) {
        if (stages[0]++ == stage) {
          throw new Killed();
        }
      }
    };
  }
}
