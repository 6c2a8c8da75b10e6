/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Opens writers in tasks. Immutable.
 *
 * @param settings of HBase's client
 * @param table the name of the table
 * @param columns the columns of the data frame
 * @param anyFamily a family of the table
 */
record PutWriterFactory(
    Broadcast<SerializableConfiguration> settings,
    String table,
    TableColumns columns,
    String anyFamily)
    implements DataWriterFactory {
  @Override
  public DataWriter<InternalRow> createWriter(int partition, long task) {
    try {
      return PutWriter.open(settings.value().value(), TableName.valueOf(table), columns, anyFamily);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
