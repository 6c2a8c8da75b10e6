/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Opens partitions in tasks. Immutable.
 *
 * @param job the configuration that says what is read
 * @param columns the columns of the rows
 * @param limit the most rows of each partition; 0 for all
 */
record KeyReaderFactory(Broadcast<SerializableConfiguration> job, TableColumns columns, int limit)
    implements PartitionReaderFactory {
  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    return new KeyReader(job.value().value(), (KeyPartition) partition, columns, limit);
  }
}
