/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.generation;

import io.evenkey.client.internal.registry.Migration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A table's descriptor while a migration looks for changed rows in store files: major compactions
 * keep tombstones, since a row that was deleted would else be in no file. Stateless.
 */
final class KeptTombstones {
  /** HBase's: for how many milliseconds compactions keep tombstones. */
  private static final String SETTING = "hbase.hstore.time.to.purge.deletes";

  /** Descriptor value: the migration that has changed the setting, by when it was begun. */
  private static final String MIGRATION = "EVENKEY_MIGRATION";

  /** Descriptor value: what the setting was before. */
  private static final String BEFORE = "EVENKEY_PURGE_DELETES";

  private static final String FOR_EVER = String.valueOf(Long.MAX_VALUE);

  private KeptTombstones() {}

  /** Whether a table is of this migration. */
  static boolean isOf(Migration migration, TableDescriptor table) {
    return migration.since().toString().equals(table.getValue(MIGRATION));
  }

  /** The family that has a setting of its own, which would be used instead of the table's. */
  static @Nullable String familyWithSetting(TableDescriptor table) {
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      if (family.getConfigurationValue(SETTING) != null) {
        return family.getNameAsString() + " " + SETTING;
      }
    }
    return null;
  }

  /** Has the regions of a table keep tombstones for this migration. */
  static TableDescriptor keep(Migration migration, TableDescriptor table) {
    TableDescriptorBuilder kept =
        TableDescriptorBuilder.newBuilder(table)
            .setValue(SETTING, FOR_EVER)
            .setValue(MIGRATION, migration.since().toString());
    String before = table.getValue(SETTING);
    if (before != null && !before.equals(FOR_EVER)) {
      kept.setValue(BEFORE, before);
    }
    return kept.build();
  }

  /** Gives a table the settings back that it had. */
  static TableDescriptor release(TableDescriptor table) {
    if (table.getValue(MIGRATION) == null) {
      return table;
    }
    TableDescriptorBuilder released =
        TableDescriptorBuilder.newBuilder(table).removeValue(MIGRATION).removeValue(BEFORE);
    String before = table.getValue(BEFORE);
    return before == null
        ? released.removeValue(SETTING).build()
        : released.setValue(SETTING, before).build();
  }
}
