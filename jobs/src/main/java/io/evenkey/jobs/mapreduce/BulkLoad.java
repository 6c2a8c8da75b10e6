/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.mapreduce;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.jobs.file.OutputFile;
import io.evenkey.jobs.load.LoadException;
import io.evenkey.jobs.load.LoadOptions;
import io.evenkey.jobs.load.LoadResult;
import io.evenkey.jobs.records.Dialect;
import io.evenkey.jobs.records.Format;
import io.evenkey.jobs.records.WrittenTimes;
import io.evenkey.jobs.trace.JobSpan;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.HFileOutputFormat2;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.mapreduce.Job;
import org.jspecify.annotations.Nullable;

/**
 * Loads records into a table as HFiles, past the region servers' write path. A MapReduce job
 * encodes the rows and sorts them into HFiles, with one reducer per region; region servers then
 * take the files over. The table does not change until all HFiles are complete.
 *
 * <pre>{@code
 * BulkLoad load =
 *     BulkLoad.of(tables.physical(name), layout, List.of(new Path("readings.csv")), null, options);
 * LoadResult result = load.named(name).run(connection, work, share -> {});
 * }</pre>
 *
 * <p>Tasks run on YARN if the configuration names a cluster, otherwise in this process.
 *
 * <p>The same job makes the HFiles of the table's indexes, which region servers take over first.
 * The files name the version of the indexes. If an index is added, swept or dropped during the job,
 * region servers reject the files; a sweep then removes the entries that have no rows.
 *
 * <p>Immutable and thread-safe.
 */
public final class BulkLoad {
  // The share of the work that is done after the map tasks, and after the reduce tasks.
  private static final double MAPPED = 0.45;
  private static final double REDUCED = 0.95;

  private final TableName table;
  private final TableName name;
  private final Layout layout;
  private final List<Path> files;
  private final @Nullable Format format;
  private final LoadOptions options;

  private BulkLoad(
      TableName table,
      TableName name,
      Layout layout,
      List<Path> files,
      @Nullable Format format,
      LoadOptions options) {
    this.table = table;
    this.name = name;
    this.layout = layout;
    this.files = files;
    this.format = format;
    this.options = options;
  }

  /** The stages of a load, in order. */
  public enum Stage {
    /** Map tasks make rows from records. */
    ENCODE,
    /** Reduce tasks write the rows of each region to HFiles. */
    SORT,
    /** Region servers take the files over. */
    LOAD
  }

  /** Watches a load. */
  @FunctionalInterface
  public interface Listener {
    /**
     * The load begins.
     *
     * @param directory the directory of the HFiles. It remains only if the process is killed
     */
    default void begins(Path directory) {}

    /** A stage begins. */
    default void stage(Stage stage) {}

    /**
     * The load progresses.
     *
     * @param share the share of the work that is done, from 0 to 1
     */
    void progress(double share);
  }

  /**
   * Prepares a load. Reads and writes nothing yet.
   *
   * @param table HBase's name of the table, as {@code SpreadTables.physical} returns it
   * @param layout the layout of its rows
   * @param files the files of the records, in the order in which their records count
   * @param format the format of all files; null to take each file's format from its name
   * @param options how to read the records, and what to do with bad ones. A bulk load is all or
   *     nothing, so it ignores the options about checkpoints
   */
  public static BulkLoad of(
      TableName table,
      Layout layout,
      List<Path> files,
      @Nullable Format format,
      LoadOptions options) {
    return new BulkLoad(table, table, layout, List.copyOf(files), format, options);
  }

  /**
   * Returns this load for a table that applications use by another name than HBase's, as after a
   * migration. The names of its indexes follow from that name.
   */
  public BulkLoad named(TableName application) {
    return new BulkLoad(table, application, layout, files, format, options);
  }

  /**
   * Loads the records, and blocks until region servers have taken the files over. Needs C or A on
   * the table, and files that the servers' user can read and write.
   *
   * @param plain a connection whose rows are physical rows
   * @param work a directory, best on HBase's file system; created if it does not exist. The load
   *     writes its HFiles to a new directory inside and deletes that at the end; other files in
   *     {@code work} stay
   * @param listener called in the thread that calls this method
   * @throws LoadException if the records cannot be loaded; the table is unchanged
   * @throws io.evenkey.jobs.file.FileRefusedException if the file for rejected records cannot be
   *     written
   */
  public LoadResult run(Connection plain, Path work, Listener listener) throws IOException {
    return JobSpan.around("IMPORT", table, () -> load(plain, work, listener));
  }

  private LoadResult load(Connection plain, Path work, Listener listener) throws IOException {
    long start = System.nanoTime();
    OutputFile rejects = OutputFile.at(options.rejects(), options.replace());
    Configuration base = EvenkeyConnection.plain(plain.getConfiguration());
    try (JobDirectory directory = JobDirectory.in(work, "evenkey-import-" + table, base)) {
      listener.begins(directory.path());
      Path output = new Path(directory.path(), "hfiles");
      LoadedTables tables = LoadedTables.of(plain, name, table);
      Path partitions = new Path(directory.path(), "partitions");
      Job job = job(plain, tables, settings(base, directory), output, partitions);
      await(job, listener);
      BulkLoadReport report = BulkLoadReport.of(job, directory.files(), output, layout);
      report.write(rejects);
      report.check(options);
      LoadResult result = report.result(options, System.nanoTime() - start);
      listener.stage(Stage.LOAD);
      listener.progress(REDUCED);
      tables.load(base, output);
      listener.progress(1);
      return result;
    }
  }

  private Configuration settings(Configuration base, JobDirectory directory) throws IOException {
    Configuration settings = new Configuration(base);
    TableJob.addTo(settings);
    TaskFailures.to(settings, new Path(directory.path(), "failures"));
    settings.set("hbase.fs.tmp.dir", new Path(directory.path(), "staging").toString());
    settings.set(RecordFiles.FORMAT, format == null ? "" : format.name());
    settings.set(RecordFiles.FILES, lines(files));
    Dialect dialect = options.dialect();
    settings.set(RecordFiles.DIALECT, dialect == null ? "" : dialect.encoded());
    HFiles.addLayout(settings, layout);
    settings.set(RecordMapper.FAMILY, options.family());
    settings.set(RecordMapper.FAMILIES, RecordMapper.encoded(options.families()));
    WrittenTimes times = options.times();
    settings.set(RecordMapper.TIMES, times == null ? "" : times.toString());
    settings.set(RecordMapper.COLUMNS, lines(options.columns()));
    settings.setLong(RecordMapper.TIMESTAMP, System.currentTimeMillis());
    settings.set(RowReducer.ON_COLLISION, options.onCollision().name());
    return settings;
  }

  private static String lines(List<?> values) {
    return values.stream().map(Object::toString).collect(Collectors.joining("\n"));
  }

  private Job job(
      Connection plain, LoadedTables tables, Configuration settings, Path output, Path partitions)
      throws IOException {
    Job job = Job.getInstance(settings, "evenkey import " + table);
    job.setInputFormatClass(RecordFiles.class);
    job.setMapperClass(RecordMapper.class);
    job.setMapOutputKeyClass(ImmutableBytesWritable.class);
    job.setMapOutputValueClass(Put.class);
    job.setSpeculativeExecution(false);
    try (RegionLocator regions = plain.getRegionLocator(table)) {
      HFileOutputFormat2.configureIncrementalLoad(job, tables.descriptors().get(0), regions);
    }
    tables.addTo(job.getConfiguration());
    if (tables.hasIndexes()) {
      tables.partition(job, plain, partitions);
    }
    // After HBase's configuration, which sets a reducer and an output format of its own.
    job.setReducerClass(RowReducer.class);
    HFiles.addTo(job, HFiles.class, output);
    TableJob.addClasses(job, BulkLoad.class);
    if (!TableJob.isLocal(job.getConfiguration())) {
      TableMapReduceUtil.addDependencyJarsForClasses(job.getConfiguration(), libraries());
    }
    TableMapReduceUtil.initCredentials(job);
    return job;
  }

  /**
   * A class of each library that the files' formats need, in addition to the libraries of every
   * job.
   */
  private Class<?>[] libraries() {
    List<Format> formats =
        files.stream().map(file -> format == null ? Format.of(file.getName()) : format).toList();
    return FormatLibraries.of(formats);
  }

  private static void await(Job job, Listener listener) throws IOException {
    AtomicBoolean sorting = new AtomicBoolean();
    listener.stage(Stage.ENCODE);
    TableJob.run(
        job,
        running -> {
          if (running.mapProgress() >= 1 && !sorting.getAndSet(true)) {
            listener.stage(Stage.SORT);
          }
          listener.progress(
              MAPPED * running.mapProgress() + (REDUCED - MAPPED) * running.reduceProgress());
        },
        BulkLoad::failed,
        "interrupted while loading; nothing was loaded");
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
}
