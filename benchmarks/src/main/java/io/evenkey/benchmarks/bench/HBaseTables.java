/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/** Operations on HBase's own tables that several sides share. */
final class HBaseTables {
  static final byte[] FAMILY = Bytes.toBytes("d");
  static final byte[] QUALIFIER = Bytes.toBytes("v");

  private HBaseTables() {}

  static TableDescriptor table(String name, DataBlockEncoding encoding) {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
        .setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setDataBlockEncoding(encoding).build())
        .build();
  }

  /** Split keys of a plain table with regions of equal row counts; null for one region. */
  static byte @Nullable [][] splits(BenchRows rows, int regions) {
    if (regions == 1) {
      return null;
    }
    byte[][] splits = new byte[regions - 1][];
    for (int i = 1; i < regions; i++) {
      splits[i - 1] = rows.key((int) ((long) rows.count() * i / regions));
    }
    return splits;
  }

  /** Split keys between all buckets of a table; null for one bucket. */
  static byte @Nullable [][] splits(Layout layout, int buckets) {
    return buckets == 1 ? null : layout.splits(buckets).toArray();
  }

  /** Writes all rows under their keys and flushes the table. */
  static void fill(Connection connection, TableName table, BenchRows rows) throws IOException {
    try (BufferedMutator mutator = connection.getBufferedMutator(table)) {
      for (int row = 0; row < rows.count(); row++) {
        mutator.mutate(put(rows.key(row), rows.value(row)));
      }
    }
    try (Admin admin = connection.getAdmin()) {
      admin.flush(table);
    }
  }

  static Put put(byte[] row, byte[] value) {
    return new Put(row).addColumn(FAMILY, QUALIFIER, value);
  }

  /** The scan of an application that does not know about buckets. */
  static Scan scan(Task task, KeyRange range, boolean measured) {
    Scan scan = new Scan().setReversed(task.reversed()).setScanMetricsEnabled(measured);
    if (task.limit() > 0) {
      scan.setLimit(task.limit());
    }
    return task.reversed()
        ? scan.withStartRow(range.stop(), false).withStopRow(range.start(), true)
        : scan.withStartRow(range.start()).withStopRow(range.stop());
  }
}
