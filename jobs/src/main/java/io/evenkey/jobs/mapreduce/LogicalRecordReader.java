/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.mapreduce;

import io.evenkey.client.internal.row.LogicalResults;
import io.evenkey.layout.Layout;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.text.RowException;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.jspecify.annotations.Nullable;

/** Shows what another reader finds under logical keys. Not thread-safe. */
final class LogicalRecordReader extends RecordReader<ImmutableBytesWritable, Result> {
  private final RecordReader<ImmutableBytesWritable, Result> physical;
  private final LogicalResults rows;
  private final @Nullable Where where;
  private final TaskAttemptContext plain;
  private final ImmutableBytesWritable key = new ImmutableBytesWritable();
  private Result value = Result.EMPTY_RESULT;

  /**
   * @param where a condition, whose ranges may have rows that do not fulfil it
   * @param plain the task, with HBase's own connections
   */
  LogicalRecordReader(
      RecordReader<ImmutableBytesWritable, Result> physical,
      Layout layout,
      @Nullable String where,
      TaskAttemptContext plain) {
    this.physical = physical;
    this.rows = LogicalResults.of(layout);
    this.where = where == null ? null : layout.where(where);
    this.plain = plain;
  }

  @Override
  public void initialize(InputSplit split, TaskAttemptContext context)
      throws IOException, InterruptedException {
    physical.initialize(((EvenkeySplit) split).physical(), plain);
  }

  @Override
  public boolean nextKeyValue() throws IOException, InterruptedException {
    while (physical.nextKeyValue()) {
      Result logical = rows.logicalOrForeign(physical.getCurrentValue());
      if (logical != null && isWanted(logical.getRow())) {
        value = logical;
        key.set(logical.getRow());
        return true;
      }
    }
    return false;
  }

  private boolean isWanted(byte[] row) {
    if (where == null) {
      return true;
    }
    try {
      return where.matches(rows.layout().decodeLogical(row)::get);
    } catch (RowException e) {
      rows.foreign().met(row, e);
      return false;
    }
  }

  @Override
  public ImmutableBytesWritable getCurrentKey() {
    return key;
  }

  @Override
  public Result getCurrentValue() {
    return value;
  }

  @Override
  public float getProgress() throws IOException, InterruptedException {
    return physical.getProgress();
  }

  @Override
  public void close() throws IOException {
    physical.close();
  }
}
