/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.mapreduce;

import io.evenkey.client.cell.CellColumn;
import io.evenkey.jobs.load.RecordRows;
import io.evenkey.jobs.records.Dialect;
import io.evenkey.jobs.records.Format;
import io.evenkey.jobs.records.Input;
import io.evenkey.jobs.records.InputException;
import io.evenkey.jobs.records.RecordCursor;
import io.evenkey.jobs.records.RecordSource;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.jspecify.annotations.Nullable;

/**
 * The input format of record files in any {@link Format}, one task per file, because records may
 * span lines. The key is the number of the record, counted through all files from the first.
 */
final class RecordFiles extends InputFormat<LongWritable, RecordFiles.Current> {
  /** Configuration key: the files, in order, separated by line breaks. */
  static final String FILES = "evenkey.load.files";

  /** Configuration key: the format, or nothing to take it from each file's name. */
  static final String FORMAT = "evenkey.load.format";

  /** Configuration key: the dialect of delimited text, or nothing for the format's usual one. */
  static final String DIALECT = "evenkey.load.dialect";

  /** The numbers of a file's records begin at its place among the files times this. */
  private static final long RECORDS_A_FILE = 1L << 40;

  /**
   * The position of a task in its file. Valid until the task reads the next record.
   *
   * @param source the records of the file
   * @param cursor the current record
   * @param problem what is wrong with it; null if it is valid
   */
  public record Current(
      RecordSource source, RecordCursor cursor, @Nullable InputException problem) {}

  /** One file. */
  static final class FileSplit extends InputSplit implements Writable {
    private String file = "";
    private int index;
    private long length;

    /** Called by Hadoop before {@link #readFields}. */
    public FileSplit() {}

    private FileSplit(String file, int index, long length) {
      this.file = file;
      this.index = index;
      this.length = length;
    }

    @Override
    public long getLength() {
      return length;
    }

    @Override
    public String[] getLocations() {
      return new String[0];
    }

    @Override
    public void write(DataOutput out) throws IOException {
      Text.writeString(out, file);
      out.writeInt(index);
      out.writeLong(length);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
      file = Text.readString(in);
      index = in.readInt();
      length = in.readLong();
    }
  }

  /** Returns one split per file. */
  @Override
  public List<InputSplit> getSplits(JobContext job) throws IOException {
    Configuration configuration = job.getConfiguration();
    List<InputSplit> splits = new ArrayList<>();
    for (String file : configuration.get(FILES, "").lines().toList()) {
      Path path = new Path(file);
      long length = path.getFileSystem(configuration).getFileStatus(path).getLen();
      splits.add(new FileSplit(file, splits.size(), length));
    }
    return splits;
  }

  /**
   * Returns a reader of one file. A record that cannot be read is returned with its problem, so
   * that the mapper decides whether the job goes on.
   */
  @Override
  public RecordReader<LongWritable, Current> createRecordReader(
      InputSplit split, TaskAttemptContext task) {
    return new Reader();
  }

  private static final class Reader extends RecordReader<LongWritable, Current> {
    private final LongWritable number = new LongWritable();
    private long first;
    private long length;
    private long next;
    private @Nullable Input input;
    private @Nullable RecordSource source;
    private @Nullable RecordCursor cursor;
    private @Nullable Current current;

    @Override
    public void initialize(InputSplit split, TaskAttemptContext task)
        throws IOException, InterruptedException {
      TaskFailures.written(task, () -> open(split, task));
    }

    private void open(InputSplit split, TaskAttemptContext task) throws IOException {
      FileSplit file = (FileSplit) split;
      Configuration configuration = task.getConfiguration();
      Path path = new Path(file.file);
      String named = configuration.get(FORMAT, "");
      Format format = named.isEmpty() ? Format.of(path.getName()) : Format.valueOf(named);
      first = file.index * RECORDS_A_FILE;
      length = file.length;
      Input opened = Input.file(file.file, path.getFileSystem(configuration).open(path), length);
      input = opened;
      String dialect = configuration.get(DIALECT, "");
      RecordSource records =
          dialect.isEmpty() ? format.read(opened) : format.read(opened, Dialect.decoded(dialect));
      source = records;
      List<CellColumn> columns = RecordMapper.columns(configuration);
      cursor =
          columns.isEmpty()
              ? records.open()
              : records.open(RecordRows.wanted(RecordMapper.layout(configuration), columns));
    }

    @Override
    public boolean nextKeyValue() throws IOException {
      RecordSource records = source;
      RecordCursor at = cursor;
      if (records == null || at == null) {
        throw new IllegalStateException("read before it was initialized");
      }
      number.set(first + next++);
      try {
        if (!at.next()) {
          return false;
        }
        current = new Current(records, at, null);
      } catch (InputException e) {
        if (!e.isOfOneRecord()) {
          throw e;
        }
        current = new Current(records, at, e);
      }
      return true;
    }

    @Override
    public LongWritable getCurrentKey() {
      return number;
    }

    @Override
    public @Nullable Current getCurrentValue() {
      return current;
    }

    @Override
    public float getProgress() {
      return input == null || length == 0 ? 0 : Math.min(1, (float) input.bytesRead() / length);
    }

    @Override
    public void close() throws IOException {
      if (cursor != null) {
        cursor.close();
      }
    }
  }
}
