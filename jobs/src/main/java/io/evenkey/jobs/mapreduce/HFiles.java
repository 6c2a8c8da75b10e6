package io.evenkey.jobs.mapreduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.HFileOutputFormat2;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/**
 * HFiles as HBase's own output format makes them.
 *
 * <p>Not a {@code FileOutputFormat}: of those, MapReduce adds up what all threads have written to
 * each file system before and after each cell, which takes longer than writing it.
 */
public class HFiles extends OutputFormat<ImmutableBytesWritable, Cell> {
  /** Made by MapReduce. */
  public HFiles() {}

  /**
   * Makes a job write to a directory, in place of what was set before.
   *
   * @param directory a new one: it is not looked whether there is something in it
   */
  public static void addTo(Job job, Class<? extends HFiles> format, Path directory) {
    job.setOutputFormatClass(format);
    FileOutputFormat.setOutputPath(job, directory);
  }

  /**
   * Hands what a job has written to HBase, if it has written anything. HBase moves the files out of
   * the directories of their families; what else is in the directory stays.
   *
   * @param settings HBase's settings of the load
   */
  public static void load(Configuration settings, Path directory, TableName table)
      throws IOException {
    FileSystem system = directory.getFileSystem(settings);
    // Given the directory itself, HBase would warn of all that is not a family's.
    Map<byte[], List<Path>> byFamily = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (FileStatus family : system.listStatus(directory)) {
      if (family.isDirectory()) {
        List<Path> files = new ArrayList<>();
        for (FileStatus file : system.listStatus(family.getPath())) {
          files.add(file.getPath());
        }
        byFamily.put(Bytes.toBytes(family.getPath().getName()), files);
      }
    }
    if (!byFamily.isEmpty()) {
      BulkLoadHFiles.create(settings).bulkLoad(table, byFamily);
    }
  }

  @Override
  public RecordWriter<ImmutableBytesWritable, Cell> getRecordWriter(TaskAttemptContext context)
      throws IOException, InterruptedException {
    return new HFileOutputFormat2().getRecordWriter(context);
  }

  @Override
  public final void checkOutputSpecs(JobContext context) {
    // Whoever makes the job has made the directory's name.
  }

  @Override
  public final FileOutputCommitter getOutputCommitter(TaskAttemptContext context)
      throws IOException {
    return new FileOutputCommitter(FileOutputFormat.getOutputPath(context), context);
  }
}
