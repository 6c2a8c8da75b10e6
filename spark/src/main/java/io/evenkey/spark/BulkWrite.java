/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.jobs.mapreduce.HFiles;
import io.evenkey.jobs.mapreduce.JobDirectory;
import io.evenkey.jobs.mapreduce.LoadedTables;
import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.V1Write;
import org.apache.spark.sql.sources.InsertableRelation;
import org.apache.spark.util.SerializableConfiguration;

/**
 * A write by HFiles: Spark sorts the rows by their place in the table, a task for each region
 * writes its files, and the driver hands them to HBase when all are complete. Until then the table
 * does not change; the files of a write that fails are deleted. Rows of the same key become one
 * row, which has the values of one of them in each column. Immutable.
 *
 * <p>The same job makes the files of the table's indexes, as {@link
 * io.evenkey.jobs.mapreduce.BulkLoad} does, and they are loaded before those of the table.
 *
 * <p>Spark's batch writes cannot sort by anything but columns, and so not by bucket: hence a write
 * of the older kind.
 *
 * @param stored the table
 * @param columns the columns of the data frame
 */
record BulkWrite(StoredTable stored, TableColumns columns) implements V1Write {
  /**
   * What is written to, which a migration or an index may have changed since it was looked up.
   *
   * @param starts the first keys of all regions, in ascending order
   */
  private record Target(LoadedTables tables, Layout layout, List<byte[]> starts) {}

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
      throw new EvenkeyArgumentException(
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
      target.tables.load(settings, files);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Target target(Configuration settings) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(settings);
        SpreadTables open = SpreadTables.on(connection)) {
      TableName physical = open.physical(stored.name());
      LoadedTables tables = LoadedTables.of(connection, stored.name(), physical);
      Layout layout = TableLayout.of(tables.descriptors().get(0));
      if (layout == null) {
        throw TableLayoutException.none(stored.name());
      }
      return new Target(tables, layout, tables.starts(connection));
    }
  }

  private void write(Dataset<Row> rows, Target target, Path files, Configuration settings)
      throws IOException {
    Job job = Job.getInstance(settings);
    target.tables.addTo(job.getConfiguration());
    HFiles.addLayout(job.getConfiguration(), target.layout);
    HFiles.addTo(job, HFiles.class, files);
    // All files of a task are moved at once: of an attempt that fails then, and is repeated, none
    // are left. Two attempts may have merged rows of the same key in different orders.
    job.getConfiguration().setInt(FileOutputCommitter.FILEOUTPUTCOMMITTER_ALGORITHM_VERSION, 1);
    job.setOutputKeyClass(ImmutableBytesWritable.class);
    job.setOutputValueClass(Cell.class);
    BulkRows encoded =
        new BulkRows(
            JavaSparkContext.fromSparkContext(rows.sparkSession().sparkContext())
                .broadcast(new SerializableConfiguration(job.getConfiguration())),
            target.layout.toString(),
            columns,
            stored.anyFamily(),
            System.currentTimeMillis());
    JavaRDD<InternalRow> values = rows.queryExecution().toRdd().toJavaRDD();
    values
        .mapPartitionsToPair(encoded::encoded)
        .repartitionAndSortWithinPartitions(
            new RegionPartitioner(target.starts), RegionPartitioner.BY_KEY)
        .mapPartitionsToPair(encoded::sorted)
        .saveAsNewAPIHadoopDataset(job.getConfiguration());
  }
}
