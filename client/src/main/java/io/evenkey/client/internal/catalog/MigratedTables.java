/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.catalog;

import io.evenkey.client.failure.RegistryException;
import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.protocol.naming.DerivedTable;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses changes of tables that a migration uses, by their records in the registry: an Admin's
 * change would reach one generation only. Thread-safe.
 */
record MigratedTables(RegistryAccess registry) {
  private static final Logger LOG = LoggerFactory.getLogger(MigratedTables.class);

  /**
   * Checks a table.
   *
   * @throws TableLayoutException if a migration of it, or to or from it, is not over, or if its
   *     name stands for another generation
   */
  void refuse(TableName name) throws IOException {
    if (name.isSystemTable() || registry.use() == RegistryUse.OFF) {
      return;
    }
    Migration own;
    Migration other;
    try {
      own = registry.migration(name);
      other = migrationOfGeneration(name);
    } catch (RegistryException e) {
      if (registry.use() == RegistryUse.REQUIRED) {
        throw e;
      }
      LOG.warn("migrations of {} not read from the registry: {}", name, e.getMessage());
      return;
    }
    if (own != null && (!own.stage().isOver() || !own.generation().equals(name))) {
      throw new TableLayoutException(
          name,
          own.stage().isOver()
              ? "table was migrated, and is " + own.generation() + " now"
              : "table is migrated from " + own.source() + " to " + own.target(),
          "name the generation that you mean, after the migration");
    }
    if (other != null && !other.stage().isOver()) {
      throw new TableLayoutException(
          name,
          "generation of a table that is migrated from " + other.source() + " to " + other.target(),
          "change it when the migration is over: " + Remedy.SHOW_MIGRATION);
    }
  }

  /** The last migration of the table that has such a generation, if there is one of that name. */
  private @Nullable Migration migrationOfGeneration(TableName name) throws RegistryException {
    for (String table : DerivedTable.tablesOf(name.getNameAsString())) {
      Migration last = registry.migration(TableName.valueOf(table));
      if (last != null && (name.equals(last.source()) || name.equals(last.target()))) {
        return last;
      }
    }
    return null;
  }
}
