package io.evenkey.jobs.mapreduce;

import io.evenkey.client.cell.CellColumn;
import io.evenkey.jobs.file.OutputFile;
import io.evenkey.jobs.load.DuplicateKeyPolicy;
import io.evenkey.jobs.load.LoadException;
import io.evenkey.jobs.load.LoadOptions;
import io.evenkey.jobs.load.LoadResult;
import io.evenkey.jobs.records.Format;
import io.evenkey.layout.Layout;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.HFileOutputFormat2;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.mapreduce.Job;
import org.jspecify.annotations.Nullable;

/**
 * Loads records by files: a job sorts them into HFiles, a reducer a region, which HBase then takes
 * in whole. Runs on YARN where the configuration names one, else in this process. Until the files
 * are complete nothing is in the table. Stateless.
 */
public final class BulkLoad {
  // How the parts of the work share the bar.
  private static final double MAPPED = 0.45;
  private static final double REDUCED = 0.95;
  private static final long POLL_MS = 200;

  private BulkLoad() {}

  /** Watches a load. */
  @FunctionalInterface
  public interface Listener {
    /**
     * The load begins.
     *
     * @param directory where its files are made; left behind only by a process that is killed
     */
    default void begins(Path directory) {}

    /**
     * The load goes on.
     *
     * @param share how much of it is done, from 0 to 1
     */
    void progress(double share);
  }

  /**
   * Loads the records of files.
   *
   * @param plain a connection to which rows are what is stored
   * @param files as Hadoop names them
   * @param format their format, or null to take it from their names
   * @param options of which those about resuming are for other loads: this one is all or nothing
   * @param work a directory, best on the file system that HBase is on, made if need be. The files
   *     are made in a new directory in it, which is deleted in the end; what else is in it stays
   * @param listener called by the thread that calls this
   * @throws LoadException if nothing could be loaded, or must not be
   * @throws io.evenkey.jobs.file.FileRefusedException if the file of the rejects may not be written
   */
  public static LoadResult run(
      Connection plain,
      TableName table,
      Layout layout,
      List<Path> files,
      @Nullable Format format,
      LoadOptions options,
      Path work,
      Listener listener)
      throws IOException {
    long start = System.nanoTime();
    OutputFile rejects = OutputFile.at(options.rejects(), options.replace());
    Configuration configuration = TableInput.plain(plain.getConfiguration());
    try (JobDirectory directory = JobDirectory.in(work, "evenkey-import-" + table, configuration)) {
      listener.begins(directory.path());
      Path output = new Path(directory.path(), "hfiles");
      Job job =
          job(
              plain,
              configuration,
              table,
              layout,
              files,
              format,
              options,
              directory.path(),
              output);
      await(job, listener);
      LoadResult result = result(job, directory.files(), output, options, rejects, start);
      listener.progress(REDUCED);
      HFiles.load(configuration, output, table);
      listener.progress(1);
      return result;
    }
  }

  private static Job job(
      Connection plain,
      Configuration base,
      TableName table,
      Layout layout,
      List<Path> files,
      @Nullable Format format,
      LoadOptions options,
      Path work,
      Path output)
      throws IOException {
    Configuration configuration = new Configuration(base);
    TableJob.addTo(configuration);
    TaskFailures.to(configuration, new Path(work, "failures"));
    configuration.set("hbase.fs.tmp.dir", new Path(work, "staging").toString());
    configuration.setLong(RecordMapper.TIMESTAMP, System.currentTimeMillis());
    configuration.set(RecordMapper.LAYOUT, layout.toString());
    configuration.set(RecordMapper.FAMILY, options.family());
    configuration.set(
        RecordMapper.COLUMNS,
        options.columns().stream().map(CellColumn::toString).collect(Collectors.joining("\n")));
    configuration.set(RowReducer.ON_COLLISION, options.onCollision().name());
    configuration.set(RecordFiles.FORMAT, format == null ? "" : format.name());
    configuration.set(
        RecordFiles.FILES, files.stream().map(Path::toString).collect(Collectors.joining("\n")));
    Job job = Job.getInstance(configuration, "evenkey import " + table);
    job.setInputFormatClass(RecordFiles.class);
    job.setMapperClass(RecordMapper.class);
    job.setMapOutputKeyClass(ImmutableBytesWritable.class);
    job.setMapOutputValueClass(Put.class);
    job.setSpeculativeExecution(false);
    try (Admin admin = plain.getAdmin();
        RegionLocator regions = plain.getRegionLocator(table)) {
      TableDescriptor descriptor = admin.getDescriptor(table);
      HFileOutputFormat2.configureIncrementalLoad(job, descriptor, regions);
      HFiles.addTable(job.getConfiguration(), descriptor);
    }
    job.setReducerClass(RowReducer.class);
    HFiles.addTo(job, HFiles.class, output);
    TableJob.addClasses(job, BulkLoad.class);
    TableMapReduceUtil.initCredentials(job);
    return job;
  }

  private static void await(Job job, Listener listener) throws IOException {
    try {
      job.submit();
      while (!job.isComplete()) {
        listener.progress(MAPPED * job.mapProgress() + (REDUCED - MAPPED) * job.reduceProgress());
        Thread.sleep(POLL_MS);
      }
      if (!job.isSuccessful()) {
        throw failed(job);
      }
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("classes of a job are those of this program", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      job.killJob();
      throw new InterruptedIOException("interrupted while loading; nothing was loaded");
    }
  }

  private static LoadException failed(Job job) throws IOException, InterruptedException {
    String rule = "job failed, nothing was loaded: job=" + job.getJobID();
    Optional<RemoteException> failure = TaskFailures.first(job.getConfiguration());
    return failure.isPresent()
        ? new LoadException(rule + "; correct the cause, and import again", failure.get())
        : new LoadException(
            rule
                + " reason="
                + job.getStatus().getFailureInfo()
                + "; the log of the job has the details");
  }

  private static LoadResult result(
      Job job, FileSystem system, Path output, LoadOptions options, OutputFile rejects, long start)
      throws IOException {
    long records = job.getCounters().findCounter(RecordMapper.Count.RECORDS).getValue();
    long rejected = job.getCounters().findCounter(RecordMapper.Count.REJECTED).getValue();
    long collisions = job.getCounters().findCounter(RecordMapper.Count.COLLISIONS).getValue();
    List<String> examples =
        lines(system, output, SideFile.COLLISIONS).stream().map(BulkLoad::unquoted).toList();
    if (rejected > 0) {
      List<String> lines = lines(system, output, SideFile.REJECTS);
      rejects.write(
          out -> {
            Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8);
            text.write("file,line,column,reason\r\n");
            for (String line : lines) {
              text.write(line + "\r\n");
            }
            text.flush();
            return lines.size();
          });
    }
    if (rejected > options.maxRejects()) {
      throw new LoadException(
          "too many records cannot be loaded, so nothing was: rejected="
              + rejected
              + " allowed="
              + options.maxRejects()
              + " see="
              + options.rejects()
              + "; correct them, or allow more with --max-rejects");
    }
    if (collisions > 0 && options.onCollision() == DuplicateKeyPolicy.FAIL) {
      throw new LoadException(
          "records with one key, of which HBase keeps one; nothing was loaded: records="
              + collisions
              + " example="
              + (examples.isEmpty() ? "" : examples.get(0))
              + "; add a field to the layout that tells them apart, or say --on-collision report or"
              + " keep-first");
    }
    long left = options.onCollision() == DuplicateKeyPolicy.KEEP_FIRST ? collisions : 0;
    return new LoadResult(
        records,
        records - rejected - left,
        rejected,
        collisions,
        examples.subList(0, Math.min(3, examples.size())),
        0,
        0,
        (System.nanoTime() - start) / 1e9,
        1);
  }

  private static String unquoted(String value) {
    return value.startsWith("\"") && value.endsWith("\"")
        ? value.substring(1, value.length() - 1).replace("\"\"", "\"")
        : value;
  }

  private static List<String> lines(FileSystem system, Path output, String name)
      throws IOException {
    List<String> lines = new ArrayList<>();
    for (FileStatus file : system.listStatus(output)) {
      if (file.getPath().getName().startsWith(name)) {
        try (BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(system.open(file.getPath()), StandardCharsets.UTF_8))) {
          reader.lines().forEach(lines::add);
        }
      }
    }
    return lines;
  }
}
