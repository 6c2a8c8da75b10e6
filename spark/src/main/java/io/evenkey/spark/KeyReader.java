/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import io.evenkey.jobs.mapreduce.EvenkeyInputFormat;
import io.evenkey.jobs.mapreduce.EvenkeySplit;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Iterator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.spark.SerializableWritable;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.jspecify.annotations.Nullable;

/** Reads the ranges of a partition, one after the other. Not thread-safe. */
final class KeyReader implements PartitionReader<InternalRow> {
  private final EvenkeyInputFormat format = new EvenkeyInputFormat();
  private final TaskAttemptContext task;
  private final Iterator<SerializableWritable<EvenkeySplit>> splits;
  private final TableColumns columns;
  private long left;
  private @Nullable RecordReader<ImmutableBytesWritable, Result> rows;
  private @Nullable RowDecoder decoder;
  private @Nullable InternalRow row;

  KeyReader(Configuration job, KeyPartition partition, TableColumns columns, int limit) {
    this.task = new TaskAttemptContextImpl(job, new TaskAttemptID());
    this.splits = partition.splits().iterator();
    this.columns = columns;
    this.left = limit == 0 ? Long.MAX_VALUE : limit;
  }

  @Override
  public boolean next() throws IOException {
    try {
      while (left > 0 && (rows != null || open())) {
        row = nextOfSplit();
        if (row != null) {
          left--;
          return true;
        }
        close();
      }
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while reading");
    }
  }

  private boolean open() throws IOException, InterruptedException {
    if (!splits.hasNext()) {
      return false;
    }
    EvenkeySplit split = splits.next().value();
    rows = format.createRecordReader(split, task);
    rows.initialize(split, task);
    decoder = new RowDecoder(split.layout(), columns);
    return true;
  }

  private @Nullable InternalRow nextOfSplit() throws IOException, InterruptedException {
    while (rows != null && decoder != null && rows.nextKeyValue()) {
      InternalRow decoded = decoder.row(rows.getCurrentValue());
      if (decoded != null) {
        return decoded;
      }
    }
    return null;
  }

  @Override
  public InternalRow get() {
    if (row == null) {
      throw new IllegalStateException("no row: next() has not returned true");
    }
    return row;
  }

  @Override
  public void close() throws IOException {
    if (rows != null) {
      rows.close();
      rows = null;
    }
  }
}
