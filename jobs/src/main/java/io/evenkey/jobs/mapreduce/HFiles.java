/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.mapreduce;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.guard.FileStamp;
import io.evenkey.protocol.guard.Stamp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
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
 * The output format that writes HFiles of a table, or of a table and its indexes. It records in
 * each file's info what the guard of region servers checks when it takes the file over.
 *
 * <p>It is not a {@code FileOutputFormat}, because MapReduce then sums up the file system
 * statistics of all threads before and after each cell, which takes longer than writing the cell.
 */
public class HFiles extends OutputFormat<ImmutableBytesWritable, Cell> {
  private static final String TABLES = "evenkey.files.of";

  /** Called by MapReduce. */
  public HFiles() {}

  /**
   * Names the tables of the files in a job's configuration. If there are several, the job's keys
   * begin with one byte, the position of the row's table in this list.
   */
  public static void addTables(Configuration configuration, List<TableDescriptor> tables) {
    configuration.set(
        TABLES,
        tables.stream()
            .map(TableDescriptorBuilder::toByteArray)
            .map(Base64.getEncoder()::encodeToString)
            .collect(Collectors.joining("\n")));
  }

  /** The tables that the files are for. */
  static List<TableDescriptor> tables(Configuration configuration) {
    List<TableDescriptor> tables = new ArrayList<>();
    for (String described : configuration.get(TABLES, "").lines().toList()) {
      try {
        tables.add(TableDescriptorBuilder.parseFrom(Base64.getDecoder().decode(described)));
      } catch (DeserializationException e) {
        throw new IllegalStateException("no such table: " + described, e);
      }
    }
    return tables;
  }

  /** The directory, below a job's, of the files of one of so many tables. */
  static Path directory(Path output, int table, int tables) {
    return tables == 1 ? output : new Path(output, "table-" + table);
  }

  /**
   * Records the layout of the rows in a job's configuration, from which the files get it for the
   * guard.
   */
  public static void addLayout(Configuration configuration, Layout layout) {
    configuration.set(RecordMapper.LAYOUT, layout.toString());
  }

  /**
   * The number of bytes at the beginning of a row that are its bucket, if each bucket has files of
   * its own because rows are sorted only within it; 0 if the rows are sorted as a whole.
   */
  protected int bucketWidth(Configuration configuration) {
    return 0;
  }

  /** Adds to the info of a complete file before it is closed. */
  protected void addInfo(Configuration configuration, TableDescriptor table, StoreFileWriter file)
      throws IOException {
    String loaded = configuration.get(RecordMapper.LAYOUT);
    if (loaded == null) {
      return;
    }
    Layout described = TableLayout.of(table);
    Layout layout = described == null ? Layout.parse(loaded) : described;
    // With indexes of this version only: an index that is swept or dropped during the job has
    // another.
    file.appendFileInfo(
        Bytes.toBytes(FileStamp.LAYOUT), Stamp.of(layout, TableLayout.indexes(table)));
  }

  /**
   * Makes a job write HFiles to a directory, whatever output it had before.
   *
   * @param directory a new directory: this does not check whether it is empty
   */
  public static void addTo(Job job, Class<? extends HFiles> format, Path directory) {
    job.setOutputFormatClass(format);
    FileOutputFormat.setOutputPath(job, directory);
  }

  /**
   * Hands the HFiles of a job to HBase. Does nothing if the job wrote none. HBase moves the files
   * out of the directories of their families; other files in the directory stay.
   *
   * @param settings HBase's settings of the load
   * @throws IOException if region servers reject a file
   */
  public static void load(Configuration settings, Path directory, TableName table)
      throws IOException {
    FileSystem system = directory.getFileSystem(settings);
    if (!system.exists(directory)) {
      return;
    }
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

  /**
   * Returns a writer that writes the cells of a task to one HFile per table, family and bucket. It
   * starts another file where rows begin again, as they do in the next bucket of a source.
   */
  @Override
  public final RecordWriter<ImmutableBytesWritable, Cell> getRecordWriter(
      TaskAttemptContext context) throws IOException {
    Path directory = getOutputCommitter(context).getWorkPath();
    return new Writer(
        this, context.getConfiguration(), directory, context.getTaskAttemptID().toString());
  }

  /** Accepts any directory, because {@link #addTo} names a new one. */
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
   * A file for each family of each bucket of each table. Where rows begin again, as they do in
   * another bucket of the source, so does the file.
   */
  private static final class Writer extends RecordWriter<ImmutableBytesWritable, Cell> {
    private final HFiles format;
    private final Configuration configuration;
    private final List<TableDescriptor> targets;
    private final Path directory;
    private final String task;
    private final int width;
    private final List<Map<byte[], Map<Long, Open>>> files = new ArrayList<>();

    // Of the last cell: the next one is mostly of the same.
    private int table;
    private byte[] family = new byte[0];
    private Map<Long, Open> buckets = new HashMap<>();

    Writer(HFiles format, Configuration configuration, Path directory, String task) {
      this.format = format;
      this.configuration = configuration;
      this.targets = tables(configuration);
      for (TableDescriptor unused : targets) {
        files.add(new TreeMap<>(Bytes.BYTES_COMPARATOR));
      }
      this.directory = directory;
      this.task = task;
      this.width = format.bucketWidth(configuration);
    }

    @Override
    public void write(ImmutableBytesWritable key, Cell cell) throws IOException {
      byte[] row = key.get();
      int next = targets.size() == 1 ? 0 : row[0];
      if (family.length == 0 || next != table || !CellUtil.matchingFamily(cell, family)) {
        table = next;
        family = CellUtil.cloneFamily(cell);
        buckets = files.get(next).computeIfAbsent(family, any -> new HashMap<>());
      }
      Long bucket = bucket(row);
      Open open = buckets.get(bucket);
      if (open != null && Arrays.compareUnsigned(row, open.last) < 0) {
        close(targets.get(next), open.file);
        open = null;
      }
      if (open == null) {
        open = new Open(open(next));
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

    private StoreFileWriter open(int number) throws IOException {
      TableDescriptor target = targets.get(number);
      ColumnFamilyDescriptor of = target.getColumnFamily(family);
      Configuration settings = new Configuration(configuration);
      String prefix = of.getConfigurationValue(BloomFilterUtil.PREFIX_LENGTH_KEY);
      if (prefix != null) {
        settings.set(BloomFilterUtil.PREFIX_LENGTH_KEY, prefix);
      }
      return new StoreFileWriter.Builder(
              settings, new CacheConfig(settings), directory.getFileSystem(settings))
          .withOutputDir(
              new Path(HFiles.directory(directory, number, targets.size()), of.getNameAsString()))
          .withBloomType(of.getBloomFilterType())
          .withFileContext(
              new HFileContextBuilder()
                  .withCompression(of.getCompressionType())
                  .withDataBlockEncoding(of.getDataBlockEncoding())
                  .withBlockSize(of.getBlocksize())
                  .withIncludesTags(true)
                  .withColumnFamily(of.getName())
                  .withTableName(target.getTableName().getName())
                  .build())
          .build();
    }

    @Override
    public void close(TaskAttemptContext context) throws IOException {
      for (int number = 0; number < targets.size(); number++) {
        for (Map<Long, Open> ofFamily : files.get(number).values()) {
          for (Open open : ofFamily.values()) {
            close(targets.get(number), open.file);
          }
        }
      }
    }

    private void close(TableDescriptor target, StoreFileWriter file) throws IOException {
      file.appendFileInfo(HStoreFile.BULKLOAD_TIME_KEY, Bytes.toBytes(System.currentTimeMillis()));
      file.appendFileInfo(HStoreFile.BULKLOAD_TASK_KEY, Bytes.toBytes(task));
      format.addInfo(configuration, target, file);
      file.appendFileInfo(HStoreFile.MAJOR_COMPACTION_KEY, Bytes.toBytes(false));
      file.appendTrackedTimestampsToMetadata();
      file.close();
    }
  }
}
