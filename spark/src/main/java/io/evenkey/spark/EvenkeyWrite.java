/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.util.SerializableConfiguration;

/**
 * A write by batches of puts. A task that is run again puts the same rows once more, which leaves
 * them as they are; the rows of tasks that ended remain if the write fails as a whole. Immutable.
 *
 * @param stored the table
 * @param columns the columns of the data frame
 */
record EvenkeyWrite(StoredTable stored, TableColumns columns) implements Write, BatchWrite {
  @Override
  public String description() {
    return "puts into " + stored.name() + ", " + stored.layout();
  }

  @Override
  public BatchWrite toBatch() {
    return this;
  }

  @Override
  public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
    JavaSparkContext context =
        JavaSparkContext.fromSparkContext(SparkSession.active().sparkContext());
    return new PutWriterFactory(
        context.broadcast(new SerializableConfiguration(stored.options().configuration())),
        stored.name().getNameAsString(),
        columns,
        stored.anyFamily());
  }

  /** Each task has committed its own rows. */
  @Override
  public void commit(WriterCommitMessage[] tasks) {}

  /** Rows that were put cannot be told from those that were there before. */
  @Override
  public void abort(WriterCommitMessage[] tasks) {}
}
