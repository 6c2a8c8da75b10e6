/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.mapreduce;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.MultiTableInputFormatBase;
import org.apache.hadoop.hbase.mapreduce.MultiTableSnapshotInputFormat;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;

/**
 * The input format of MapReduce and Spark jobs over a spread table, or a snapshot of one. Keys and
 * rows of every {@link Result} are logical. {@link TableInput} says what is read and sets the
 * format:
 *
 * <pre>{@code
 * Job job = Job.getInstance(configuration);
 * TableInput.of(TableName.valueOf("readings")).where("device = 'd1'").configure(job);
 * }</pre>
 *
 * <p>A split is the part of one bucket in one region, so a job has as many tasks as the ranges have
 * regions, and a task prefers the host of its region. Rows come in logical order within a split,
 * not across splits. If a migration or a step changes the table, tasks that still have to read
 * fail, and the job must be started again.
 */
public final class EvenkeyInputFormat extends InputFormat<ImmutableBytesWritable, Result> {
  /** HBase's own, with the physical ranges as its scans. */
  private static final class Physical extends MultiTableInputFormatBase {
    Physical(List<Scan> scans) {
      setScans(scans);
    }
  }

  /**
   * Returns one split for each part of the physical ranges in one region. Looks up the table's
   * layout and regions.
   *
   * @throws IOException if the table has no layout, or its regions cannot be looked up
   */
  @Override
  public List<InputSplit> getSplits(JobContext context) throws IOException, InterruptedException {
    Configuration plain = EvenkeyConnection.plain(context.getConfiguration());
    JobContext job = new JobContextImpl(plain, context.getJobID());
    TableInput input = TableInput.from(plain);
    TableInput.Stored stored = input.stored(plain);
    boolean snapshot = input.table() == null;
    List<Scan> scans = input.scans(stored);
    List<InputSplit> physical =
        snapshot
            ? new MultiTableSnapshotInputFormat().getSplits(job)
            : scans.isEmpty() ? List.of() : physical(scans, job);
    List<InputSplit> splits = new ArrayList<>();
    for (InputSplit split : physical) {
      splits.add(new EvenkeySplit(stored.layout().toString(), snapshot, split));
    }
    return splits;
  }

  private static List<InputSplit> physical(List<Scan> scans, JobContext job) throws IOException {
    try {
      return new Physical(scans).getSplits(job);
    } catch (ConnectException e) {
      // HBase does not repeat its question for the sizes of a server's regions.
      TableJob.ignoreRegionSizes(job.getConfiguration());
      return new Physical(scans).getSplits(job);
    }
  }

  /**
   * Returns a reader of one split. The key that it returns is the row's logical key, which is also
   * the row of the {@link Result}.
   *
   * @throws IOException if the table or its layout is no longer the one for which the split was
   *     made
   */
  @Override
  public RecordReader<ImmutableBytesWritable, Result> createRecordReader(
      InputSplit split, TaskAttemptContext context) throws IOException, InterruptedException {
    EvenkeySplit of = (EvenkeySplit) split;
    Configuration plain = EvenkeyConnection.plain(context.getConfiguration());
    TaskAttemptContext task = new TaskAttemptContextImpl(plain, context.getTaskAttemptID());
    return new LogicalRecordReader(
        of.isSnapshot()
            ? new MultiTableSnapshotInputFormat().createRecordReader(of.physical(), task)
            : StoredRangeReader.open(of, plain),
        Layout.parse(of.layout()),
        plain.getRaw(TableInput.WHERE),
        task);
  }
}
