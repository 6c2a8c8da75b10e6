package io.evenkey.jobs.move;

import io.evenkey.jobs.mapreduce.HFiles;
import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * HFiles whose cells keep their sequence numbers, which are none: whatever a client has written
 * wins over them where timestamps tie. HBase's own output format gives them the number under which
 * the file is loaded, with which they would win.
 */
final class CopiedFiles extends HFiles {
  private static final String TARGET = "evenkey.move.files.of";

  static void addTo(Configuration configuration, TableDescriptor target) {
    byte[] described = TableDescriptorBuilder.toByteArray(target);
    configuration.set(TARGET, Base64.getEncoder().encodeToString(described));
  }

  @Override
  public RecordWriter<ImmutableBytesWritable, Cell> getRecordWriter(TaskAttemptContext context)
      throws IOException {
    Configuration configuration = context.getConfiguration();
    TableDescriptor target;
    try {
      target =
          TableDescriptorBuilder.parseFrom(
              Base64.getDecoder().decode(configuration.get(TARGET, "")));
    } catch (DeserializationException e) {
      throw new IllegalStateException("no such table: " + configuration.get(TARGET), e);
    }
    Path directory = getOutputCommitter(context).getWorkPath();
    return new Writer(configuration, target, directory, context.getTaskAttemptID().toString());
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
   * A file for each family of each bucket. Where rows begin anew, as they do in another bucket of
   * the source, so does the file.
   */
  private static final class Writer extends RecordWriter<ImmutableBytesWritable, Cell> {
    private final Configuration configuration;
    private final TableDescriptor target;
    private final Path directory;
    private final String task;
    private final int width;
    private final Map<byte[], Map<Long, Open>> files = new TreeMap<>(Bytes.BYTES_COMPARATOR);

    // Of the last cell: the next one is mostly of the same.
    private byte[] family = new byte[0];
    private Map<Long, Open> buckets = new HashMap<>();

    Writer(Configuration configuration, TableDescriptor target, Path directory, String task) {
      this.configuration = configuration;
      this.target = target;
      this.directory = directory;
      this.task = task;
      this.width = Rekeyed.in(configuration).to().spread().width();
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
      return new StoreFileWriter.Builder(
              configuration, new CacheConfig(configuration), directory.getFileSystem(configuration))
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
      file.appendFileInfo(HStoreFile.SKIP_RESET_SEQ_ID, Bytes.toBytes(true));
      file.appendFileInfo(HStoreFile.MAJOR_COMPACTION_KEY, Bytes.toBytes(false));
      file.appendTrackedTimestampsToMetadata();
      file.close();
    }
  }
}
