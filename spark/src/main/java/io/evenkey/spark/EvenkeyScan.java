/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import io.evenkey.jobs.mapreduce.EvenkeyInputFormat;
import io.evenkey.jobs.mapreduce.EvenkeySplit;
import io.evenkey.jobs.mapreduce.TableInput;
import io.evenkey.layout.Layout;
import io.evenkey.layout.scatter.Condition;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.SupportsReportOrdering;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * The read of a table by a query. Immutable.
 *
 * @param stored the table
 * @param columns the columns that the query needs
 * @param where the condition on the fields of the key; null for all rows
 * @param limit the most rows of each partition; 0 for all
 * @param cells the cells that are requested
 */
record EvenkeyScan(
    StoredTable stored,
    TableColumns columns,
    @Nullable Condition where,
    int limit,
    RequestedCells cells)
    implements SupportsReportOrdering, Batch {
  private static final int USUAL_CACHING = 1_000;

  @Override
  public StructType readSchema() {
    return columns.schema();
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  @Override
  public SortOrder[] outputOrdering() {
    return KeyOrder.of(stored.layout(), where, columns).toArray(SortOrder[]::new);
  }

  /** Returns the scan as {@code explain} shows it. */
  @Override
  public String description() {
    StringBuilder text = new StringBuilder(stored.layout().toString());
    if (where != null) {
      text.append(", where ").append(where);
    }
    text.append(", cells ").append(cells);
    if (limit > 0) {
      text.append(", limit ").append(limit).append(" per partition");
    }
    return text.toString();
  }

  @Override
  public InputPartition[] planInputPartitions() {
    List<EvenkeySplit> splits = new ArrayList<>();
    try {
      Configuration job = job();
      for (InputSplit split :
          new EvenkeyInputFormat().getSplits(new JobContextImpl(job, new JobID()))) {
        splits.add((EvenkeySplit) split);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new InterruptedIOException("interrupted while planning"));
    }
    if (outputOrdering().length > 0) {
      splits.forEach(this::checkOrder);
    }
    return KeyPartition.of(splits).toArray(InputPartition[]::new);
  }

  // A table that was migrated since it was loaded.
  private void checkOrder(EvenkeySplit split) {
    Layout now = Layout.parse(split.layout());
    if (!now.equals(stored.layout()) && !KeyOrder.isOrdered(now, where)) {
      throw new IllegalStateException(
          "table was migrated to a layout without the order that the query was planned with: table="
              + stored.name()
              + " planned="
              + stored.layout()
              + " now="
              + now
              + "; load the table again");
    }
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    JavaSparkContext context =
        JavaSparkContext.fromSparkContext(SparkSession.active().sparkContext());
    try {
      return new KeyReaderFactory(
          context.broadcast(new SerializableConfiguration(job())), columns, limit);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Configuration job() throws IOException {
    Scan scan =
        new Scan()
            .setCaching(limit == 0 ? USUAL_CACHING : Math.min(limit, USUAL_CACHING))
            .setCacheBlocks(false);
    cells.addTo(scan);
    TableInput input = TableInput.of(stored.name()).with(scan);
    Configuration job = stored.options().configuration();
    (where == null ? input : input.where(where.toString())).addTo(job);
    return job;
  }
}
