/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.jobs.mapreduce.HFiles;
import io.evenkey.jobs.mapreduce.JobDirectory;
import io.evenkey.layout.Layout;
import io.evenkey.layout.index.TableIndexes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.V1Write;
import org.apache.spark.sql.sources.InsertableRelation;

/**
 * A write by HFiles: Spark sorts the rows by their place in the table, a task for each region
 * writes its files, and the driver hands them to HBase when all are complete. Until then the table
 * does not change; the files of a write that fails are deleted. Rows of the same key become one
 * row, which has the values of one of them in each column. Immutable.
 *
 * <p>Spark's batch writes cannot sort by anything but columns, and so not by bucket: hence a write
 * of the older kind.
 *
 * @param stored the table
 * @param columns the columns of the data frame
 */
record BulkWrite(StoredTable stored, TableColumns columns) implements V1Write {
  /** The table in use, which a migration may have changed since it was loaded. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Target(
      TableName physical, TableDescriptor descriptor, Layout layout, byte[][] starts) {}

  @Override
  public String description() {
    return "HFiles for " + stored.name() + ", " + stored.layout();
  }

  @Override
  public InsertableRelation toInsertableRelation() {
    return this::insert;
  }

  private void insert(Dataset<Row> rows, boolean overwrite) {
    String work = stored.options().work();
    if (work == null) {
      throw new IllegalArgumentException(
          "no directory for HFiles: table="
              + stored.name()
              + "; set the option work to one that all executors reach, best on HBase's own file"
              + " system");
    }
    Configuration settings = stored.options().configuration();
    try (JobDirectory directory =
        JobDirectory.in(new Path(work), "evenkey-spark-" + stored.name(), settings)) {
      Target target = target(settings);
      Path files = new Path(directory.path(), "hfiles");
      write(rows, target, files, settings);
      HFiles.load(settings, files, target.physical);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Target target(Configuration settings) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(settings);
        SpreadTables tables = SpreadTables.on(connection);
        Admin admin = connection.getAdmin()) {
      TableName physical = tables.physical(stored.name());
      TableDescriptor descriptor = admin.getDescriptor(physical);
      checkNoIndexes(descriptor);
      try (RegionLocator regions = connection.getRegionLocator(physical)) {
        Layout layout = TableLayout.of(descriptor);
        if (layout == null) {
          throw TableLayoutException.none(stored.name());
        }
        return new Target(physical, descriptor, layout, regions.getStartKeys());
      }
    }
  }

  private void checkNoIndexes(TableDescriptor table) throws IOException {
    TableIndexes indexes = TableLayout.indexes(table);
    if (!indexes.isEmpty()) {
      throw IndexRefusedException.of(
          stored.name(),
          "bulk write into a table with indexes, whose files would be without entries",
          "indexes=" + String.join(",", indexes.names()),
          "write without the option bulk, or use evenkey import --bulk, which makes the files of"
              + " indexes too");
    }
  }

  private void write(Dataset<Row> rows, Target target, Path files, Configuration settings)
      throws IOException {
    Job job = Job.getInstance(settings);
    HFiles.addTables(job.getConfiguration(), List.of(target.descriptor));
    HFiles.addLayout(job.getConfiguration(), target.layout);
    HFiles.addTo(job, HFiles.class, files);
    job.setOutputKeyClass(ImmutableBytesWritable.class);
    job.setOutputValueClass(Cell.class);
    BulkRows encoded =
        new BulkRows(
            target.layout.toString(), columns, stored.anyFamily(), System.currentTimeMillis());
    JavaRDD<InternalRow> values = rows.queryExecution().toRdd().toJavaRDD();
    values
        .mapPartitionsToPair(encoded::encoded)
        .repartitionAndSortWithinPartitions(
            new RegionPartitioner(target.starts), RegionPartitioner.BY_ROW)
        .mapPartitionsToPair(encoded::sorted)
        .saveAsNewAPIHadoopDataset(job.getConfiguration());
  }
}
