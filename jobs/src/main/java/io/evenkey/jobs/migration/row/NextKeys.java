/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.row;

import io.evenkey.jobs.table.TableRemoval;
import io.evenkey.layout.failure.EvenkeyException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The table that has, for each row whose key a migration changes, all keys by which the next
 * generation may have it. If a client changes a column that the key is made of, the row has to be
 * taken away where it was before, and nothing else says where that is.
 *
 * <p>A key is added before a row is written by it, and stays until the migration is over. So a late
 * request of an earlier run can only add a key that the table has already, or that no row has.
 *
 * <p>Its rows are stored as those of the source, with a column for each key: the qualifier is the
 * logical key. Stateless.
 */
public final class NextKeys {
  private static final byte[] FAMILY = Bytes.toBytes("k");
  private static final byte[] NOTHING = {};
  private static final String SUFFIX = ".keys";

  /** The key in the table's descriptor of the name of the generation whose keys it has. */
  private static final String OF = "EVENKEY_KEYS_OF";

  private NextKeys() {}

  /** The table for a next generation. */
  public static TableName table(TableName generation) {
    return TableName.valueOf(
        generation.getNamespaceAsString(), generation.getQualifierAsString() + SUFFIX);
  }

  /**
   * Makes the table, and drops one that an earlier attempt has left.
   *
   * @param source the regions of the generation with the keys before, which are those of the table
   *     too
   */
  public static void create(Admin admin, RegionLocator source, TableName generation)
      throws IOException {
    drop(admin, generation);
    List<byte[]> splits = new ArrayList<>();
    for (byte[] start : source.getStartKeys()) {
      if (start.length > 0) {
        splits.add(start);
      }
    }
    admin.createTable(
        TableDescriptorBuilder.newBuilder(table(generation))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .setValue(OF, generation.getNameAsString())
            .build(),
        splits.isEmpty() ? null : splits.toArray(new byte[0][]));
  }

  /** Drops the table, if it is there. */
  public static void drop(Admin admin, TableName generation) throws IOException {
    TableName table = table(generation);
    if (!admin.tableExists(table)) {
      return;
    }
    TableDescriptor there = admin.getDescriptor(table);
    if (!generation.getNameAsString().equals(there.getValue(OF))) {
      throw new EvenkeyException(
          "another table blocks the migration: table="
              + table
              + " reason=it has the name of the keys of "
              + generation
              + "; rename or drop it");
    }
    TableRemoval.remove(admin, table);
  }

  /**
   * Adds a key.
   *
   * @param row the source's stored row
   * @param key the next logical key
   */
  public static Put added(byte[] row, byte[] key) {
    return new Put(row).addColumn(FAMILY, key, NOTHING);
  }

  /** Reads the keys of a row of the source. */
  static Get of(byte[] row) {
    return new Get(row).addFamily(FAMILY);
  }

  /** The keys of a row. */
  static List<byte[]> in(@Nullable Result row) {
    return row == null || row.isEmpty()
        ? List.of()
        : new ArrayList<>(row.getFamilyMap(FAMILY).keySet());
  }
}
