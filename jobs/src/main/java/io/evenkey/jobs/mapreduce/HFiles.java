/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.mapreduce;

import io.evenkey.layout.Layout;
import io.evenkey.layout.guard.FileStamp;
import io.evenkey.layout.guard.Stamp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.BloomFilterUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/**
 * HFiles of one table, with what the guard of region servers has to know of them in their file
 * info.
 *
 * <p>Not a {@code FileOutputFormat}: of those, MapReduce adds up what all threads have written to
 * each file system before and after each cell, which takes longer than writing it.
 */
public class HFiles extends OutputFormat<ImmutableBytesWritable, Cell> {
  private static final String TABLE = "evenkey.files.of";

  /** Made by MapReduce. */
  public HFiles() {}

  /** Says which table the files are for. */
  public static void addTable(Configuration configuration, TableDescriptor table) {
    byte[] described = TableDescriptorBuilder.toByteArray(table);
    configuration.set(TABLE, Base64.getEncoder().encodeToString(described));
  }

  /**
   * The number of bytes at the beginning of a row that are its bucket. Each bucket has its own
   * files where rows are not sorted as a whole; 0 for sorted rows.
   */
  protected int bucketWidth(Configuration configuration) {
    return 0;
  }

  /** Adds to the file info of a file that is complete. */
  protected void addInfo(Configuration configuration, StoreFileWriter file) throws IOException {
    String layout = configuration.get(RecordMapper.LAYOUT);
    if (layout != null) {
      file.appendFileInfo(Bytes.toBytes(FileStamp.LAYOUT), Stamp.of(Layout.parse(layout)));
    }
  }

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
  public final RecordWriter<ImmutableBytesWritable, Cell> getRecordWriter(
      TaskAttemptContext context) throws IOException {
    Configuration configuration = context.getConfiguration();
    TableDescriptor table;
    try {
      table =
          TableDescriptorBuilder.parseFrom(
              Base64.getDecoder().decode(configuration.get(TABLE, "")));
    } catch (DeserializationException e) {
      throw new IllegalStateException("no such table: " + configuration.get(TABLE), e);
    }
    Path directory = getOutputCommitter(context).getWorkPath();
    return new Writer(this, configuration, table, directory, context.getTaskAttemptID().toString());
  }

  @Override
  public final void checkOutputSpecs(JobContext context) {
    // The caller has chosen the directory's name.
  }

  @Override
  public final FileOutputCommitter getOutputCommitter(TaskAttemptContext context)
      throws IOException {
    return new FileOutputCommitter(FileOutputFormat.getOutputPath(context), context);
  }

  /** A file that is being written, and its last row. */
  private static final class Open {
    private final StoreFileWriter file;
    private byte[] last = new byte[0];

    Open(StoreFileWriter file) {
      this.file = file;
    }
  }

  /**
   * A file for each family of each bucket. Where rows begin again, as they do in another bucket of
   * the source, so does the file.
   */
  private static final class Writer extends RecordWriter<ImmutableBytesWritable, Cell> {
    private final HFiles format;
    private final Configuration configuration;
    private final TableDescriptor target;
    private final Path directory;
    private final String task;
    private final int width;
    private final Map<byte[], Map<Long, Open>> files = new TreeMap<>(Bytes.BYTES_COMPARATOR);

    // Of the last cell: the next one is mostly of the same.
    private byte[] family = new byte[0];
    private Map<Long, Open> buckets = new HashMap<>();

    Writer(
        HFiles format,
        Configuration configuration,
        TableDescriptor target,
        Path directory,
        String task) {
      this.format = format;
      this.configuration = configuration;
      this.target = target;
      this.directory = directory;
      this.task = task;
      this.width = format.bucketWidth(configuration);
    }

    @Override
    public void write(ImmutableBytesWritable key, Cell cell) throws IOException {
      byte[] row = key.get();
      if (family.length == 0 || !CellUtil.matchingFamily(cell, family)) {
        family = CellUtil.cloneFamily(cell);
        buckets = files.computeIfAbsent(family, any -> new HashMap<>());
      }
      Long bucket = bucket(row);
      Open open = buckets.get(bucket);
      if (open != null && Arrays.compareUnsigned(row, open.last) < 0) {
        close(open.file);
        open = null;
      }
      if (open == null) {
        open = new Open(open(target.getColumnFamily(family)));
        buckets.put(bucket, open);
      }
      open.last = row;
      open.file.append(cell);
    }

    // Longer prefixes are those of sorted rows, which need no file of their own.
    private long bucket(byte[] row) {
      long bucket = 0;
      for (int i = 0; i < width && width <= Long.BYTES; i++) {
        bucket = bucket << Byte.SIZE | row[i] & 0xff;
      }
      return bucket;
    }

    private StoreFileWriter open(ColumnFamilyDescriptor family) throws IOException {
      Configuration settings = new Configuration(configuration);
      String prefix = family.getConfigurationValue(BloomFilterUtil.PREFIX_LENGTH_KEY);
      if (prefix != null) {
        settings.set(BloomFilterUtil.PREFIX_LENGTH_KEY, prefix);
      }
      return new StoreFileWriter.Builder(
              settings, new CacheConfig(settings), directory.getFileSystem(settings))
          .withOutputDir(new Path(directory, family.getNameAsString()))
          .withBloomType(family.getBloomFilterType())
          .withFileContext(
              new HFileContextBuilder()
                  .withCompression(family.getCompressionType())
                  .withDataBlockEncoding(family.getDataBlockEncoding())
                  .withBlockSize(family.getBlocksize())
                  .withIncludesTags(true)
                  .withColumnFamily(family.getName())
                  .withTableName(target.getTableName().getName())
                  .build())
          .build();
    }

    @Override
    public void close(TaskAttemptContext context) throws IOException {
      for (Map<Long, Open> ofFamily : files.values()) {
        for (Open open : ofFamily.values()) {
          close(open.file);
        }
      }
    }

    private void close(StoreFileWriter file) throws IOException {
      file.appendFileInfo(HStoreFile.BULKLOAD_TIME_KEY, Bytes.toBytes(System.currentTimeMillis()));
      file.appendFileInfo(HStoreFile.BULKLOAD_TASK_KEY, Bytes.toBytes(task));
      format.addInfo(configuration, file);
      file.appendFileInfo(HStoreFile.MAJOR_COMPACTION_KEY, Bytes.toBytes(false));
      file.appendTrackedTimestampsToMetadata();
      file.close();
    }
  }
}
