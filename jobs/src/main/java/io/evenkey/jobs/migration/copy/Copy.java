/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.copy;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.compare.CellTags;
import io.evenkey.jobs.mapreduce.HFiles;
import io.evenkey.jobs.mapreduce.TableJob;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.migration.generation.Generations;
import io.evenkey.jobs.migration.row.RowRewriter;
import io.evenkey.jobs.migration.row.UncopyableRow;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.protocol.guard.GuardAttributes;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.HFileOutputFormat2;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableSnapshotInputFormatImpl;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.MapReduceExtendedCell;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies one part of the source's rows to the target, all versions and deletions with their
 * timestamps: by files that are sorted and loaded, or by puts. Done twice, it changes nothing. A
 * job on YARN where the configuration names one, else in this process. Not thread-safe.
 */
public final class Copy {
  private static final Logger LOG = LoggerFactory.getLogger(Copy.class);

  /** Counted by the tasks. */
  enum Count {
    /** Rows copied. */
    ROWS
  }

  /** Configuration key: the table that is written. */
  static final String TARGET = "evenkey.migration.target";

  /** Configuration key: the ids of the clusters to which the rows are not replicated. */
  static final String PEERS = "evenkey.migration.peers";

  /** Configuration key: how many map tasks may run at once; YARN limits them by it, too. */
  static final String AT_ONCE = MRJobConfig.JOB_RUNNING_MAP_LIMIT;

  /** Rows of one answer of a task's scan. */
  private static final int CACHING = 1_000;

  private static final long POLL_MS = 100;

  /** A task in this process ends by itself within this time, unless it writes large files. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Is called with the progress of a copy. */
  public interface Progress {
    void at(double share, long rows) throws IOException;
  }

  private final Connection plain;
  private final RowRewriter rekeyed;
  private final Migration migration;
  private final Set<byte[]> families;
  private final Path work;
  private final List<RowRange> ranges;

  public Copy(
      Connection plain, RowRewriter rekeyed, Migration migration, Set<byte[]> families, Path work) {
    this.plain = plain;
    this.rekeyed = rekeyed;
    this.migration = migration;
    this.families = families;
    this.work = work;
    this.ranges = MovedRows.ranges(migration);
  }

  /**
   * Copies one round.
   *
   * @return the number of its rows
   */
  public long round(int number, Progress progress) throws IOException {
    Configuration configuration = configuration();
    FileSystem files = work.getFileSystem(configuration);
    Path directory = directories().make(configuration, number);
    String attempt = directory.getName();
    RateLimiter.addTo(configuration, migration, number, attempt);
    UncopyableRow.addTo(configuration, directory);
    configuration.set("hbase.fs.tmp.dir", new Path(directory, "staging").toString());
    Job job = Job.getInstance(configuration, "evenkey migrate " + migration.table() + " " + number);
    TableMapReduceUtil.initCredentials(job);
    Path output = new Path(directory, "files");
    try {
      if (isByFiles()) {
        byFiles(job, number, directory, output);
      } else {
        byPuts(job, number);
      }
      await(job, attempt, progress);
      if (isByFiles()) {
        HFiles.load(configuration, output, migration.target());
      }
      return job.getCounters().findCounter(Count.ROWS).getValue();
    } finally {
      RateLimiter.forget(attempt);
      files.delete(directory, true);
    }
  }

  private CopyDirectories directories() {
    return new CopyDirectories(work, migration.target());
  }

  private Configuration configuration() throws IOException {
    Configuration configuration = CellTags.read(EvenkeyConnection.plain(plain.getConfiguration()));
    TableJob.addTo(configuration);
    if (TableJob.isLocal(configuration)) {
      configuration.setInt(AT_ONCE, Runtime.getRuntime().availableProcessors());
    }
    // A file for each task and bucket, as many as that may be.
    configuration.setInt(BulkLoadHFiles.MAX_FILES_PER_REGION_PER_FAMILY, Integer.MAX_VALUE);
    configuration.set(TARGET, migration.target().getNameAsString());
    configuration.setInt(RateLimitedMapper.TURN, migration.turn());
    configuration.setStrings(
        PEERS,
        migration.clusters().peers().stream().map(Migration.Peer::cluster).toArray(String[]::new));
    TableJob.ignoreRegionSizes(configuration);
    rekeyed.addTo(configuration);
    return configuration;
  }

  /**
   * The source as it is now or was a moment ago, but not before the guard marked rows: from an
   * attempt that was killed it is as good.
   */
  private String snapshot() throws IOException {
    String name = Generations.snapshot(migration);
    try (Admin admin = plain.getAdmin()) {
      if (admin.listSnapshots(Pattern.compile(Pattern.quote(name))).isEmpty()) {
        admin.snapshot(name, migration.source());
      }
    }
    return name;
  }

  /** Removes the files and snapshots that were made for the copy. */
  public void tidy() throws IOException {
    directories().clear(plain.getConfiguration());
    dropSnapshot();
  }

  private void dropSnapshot() throws IOException {
    if (migration.work().by() == Migration.By.SNAPSHOT) {
      try (Admin admin = plain.getAdmin()) {
        admin.deleteSnapshots(Pattern.compile(Pattern.quote(Generations.snapshot(migration))));
      }
    }
  }

  private Scan scan(int number) throws IOException {
    List<String> rounds = migration.work().rounds();
    Scan scan =
        new Scan()
            .setRaw(true)
            .readAllVersions()
            .setCaching(CACHING)
            .setCacheBlocks(false)
            .withStartRow(ByteText.fromHex(rounds.get(number)));
    if (number + 1 < rounds.size()) {
      scan.withStopRow(ByteText.fromHex(rounds.get(number + 1)));
    }
    families.forEach(scan::addFamily);
    if (!ranges.isEmpty()) {
      // The filter sorts the list that it gets.
      scan.setFilter(new MultiRowRangeFilter(new ArrayList<>(ranges)));
    }
    scan.setAttribute(GuardAttributes.MIGRATION, GuardAttributes.number(migration.turn()));
    return scan;
  }

  private boolean isByFiles() {
    return migration.work().by() != Migration.By.PUTS;
  }

  private void byFiles(Job job, int number, Path directory, Path output) throws IOException {
    if (migration.work().by() == Migration.By.SNAPSHOT) {
      // They would be added up after each row.
      job.getConfiguration()
          .setBoolean(
              TableSnapshotInputFormatImpl.SNAPSHOT_INPUTFORMAT_SCAN_METRICS_ENABLED, false);
      TableMapReduceUtil.initTableSnapshotMapperJob(
          snapshot(),
          scan(number),
          CopyMapper.class,
          ImmutableBytesWritable.class,
          MapReduceExtendedCell.class,
          job,
          false,
          new Path(directory, "restored"));
      write(job, output);
      return;
    }
    TableMapReduceUtil.initTableMapperJob(
        migration.source().getName(),
        scan(number),
        CopyMapper.class,
        ImmutableBytesWritable.class,
        MapReduceExtendedCell.class,
        job,
        false);
    write(job, output);
  }

  private void write(Job job, Path output) throws IOException {
    try (Admin admin = plain.getAdmin();
        RegionLocator regions = plain.getRegionLocator(migration.target())) {
      TableDescriptor target = admin.getDescriptor(migration.target());
      if (rekeyed.isOrdered()) {
        job.setNumReduceTasks(0);
      } else {
        HFileOutputFormat2.configureIncrementalLoad(job, target, regions);
      }
      HFiles.addTables(job.getConfiguration(), List.of(target));
    }
    HFiles.addTo(job, CopiedFiles.class, output);
    finish(job);
  }

  private void byPuts(Job job, int number) throws IOException {
    TableMapReduceUtil.initTableMapperJob(
        migration.source().getName(),
        scan(number),
        PutMapper.class,
        NullWritable.class,
        NullWritable.class,
        job,
        false);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(NullOutputFormat.class);
    finish(job);
  }

  private static void finish(Job job) throws IOException {
    job.setSpeculativeExecution(false);
    TableJob.addClasses(job, Copy.class);
  }

  private void await(Job job, String attempt, Progress progress) throws IOException {
    try {
      job.submit();
      while (!job.isComplete()) {
        progress.at(share(job), rows(job));
        Thread.sleep(POLL_MS);
      }
      progress.at(share(job), rows(job));
      if (!job.isSuccessful()) {
        throw failed(job);
      }
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("classes of a job are those of this program", e);
    } catch (InterruptedException e) {
      end(job, attempt);
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while copying");
    } catch (IOException | RuntimeException e) {
      end(job, attempt);
      throw e;
    }
  }

  private MigrationException failed(Job job) throws IOException, InterruptedException {
    String misfit = UncopyableRow.in(job.getConfiguration()).orElse(null);
    if (misfit == null) {
      return new MigrationException(
          migration.table(),
          "copy failed",
          "job=" + job.getJobID() + " reason=" + job.getStatus().getFailureInfo(),
          "its log has the details; " + Remedy.RESUME_MIGRATION);
    }
    // The next attempt is to see that the row is gone.
    dropSnapshot();
    return new MigrationException(
        "row cannot be copied: table=" + migration.source() + " reason=" + misfit);
  }

  private static void end(Job job, String attempt) {
    try {
      if (job.getJobState() != JobStatus.State.RUNNING) {
        return;
      }
      if (TableJob.isLocal(job.getConfiguration())) {
        RateLimiter.callOff(attempt);
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (!job.isComplete() && System.nanoTime() - until < 0) {
          Thread.sleep(POLL_MS);
        }
      }
      if (!job.isComplete()) {
        job.killJob();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | IllegalStateException e) {
      LOG.debug("Job of a copy was not begun, or is over: job={}", job.getJobName(), e);
    }
  }

  private double share(Job job) throws IOException {
    return isByFiles() && !rekeyed.isOrdered()
        ? (job.mapProgress() + job.reduceProgress()) / 2
        : job.mapProgress();
  }

  private static long rows(Job job) throws IOException {
    return job.getCounters().findCounter(Count.ROWS).getValue();
  }
}
