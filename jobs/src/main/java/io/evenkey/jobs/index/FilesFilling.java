/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.client.internal.verify.LastMigration;
import io.evenkey.jobs.compare.CellTags;
import io.evenkey.jobs.mapreduce.HFiles;
import io.evenkey.jobs.mapreduce.JobDirectory;
import io.evenkey.jobs.mapreduce.TableJob;
import io.evenkey.jobs.mapreduce.TaskFailures;
import io.evenkey.jobs.split.RegionRanges;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.protocol.guard.GuardAttributes;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.HFileOutputFormat2;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.util.MapReduceExtendedCell;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.mapreduce.Job;

/**
 * Writes the entries of rows from before an index to store files, which are bulk-loaded: MapReduce
 * jobs, on YARN where the configuration names one, else in this process. The table is filled in up
 * to {@link #MOST_ROUNDS} rounds of neighbouring regions; the registry has those that are done, so
 * another run goes on where one was killed. Not thread-safe.
 */
final class FilesFilling {
  private static final int MOST_ROUNDS = 16;

  private static final int CACHING = 1_000;

  private final IndexControl control;
  private final EarlierEntries entries;
  private final long rowsPerSecond;
  private final Path work;

  /**
   * @param work a directory, best on HBase's file system, in which each job makes one of its own
   */
  FilesFilling(IndexControl control, EarlierEntries entries, long rowsPerSecond, Path work) {
    this.control = control;
    this.entries = entries;
    this.rowsPerSecond = rowsPerSecond;
    this.work = work;
  }

  /**
   * Fills to the end.
   *
   * @throws IndexLifeException if a row cannot have an entry
   */
  IndexWork run(IndexWork begun, IndexListener listener) throws IOException {
    listener.begins(IndexListener.Phase.FILL);
    FillingRecord record = new FillingRecord(control, begun);
    long rows = record.rowsBefore();
    List<KeyRange> rounds = rounds();
    for (int round = 0; round < rounds.size(); round++) {
      for (KeyRange part : record.filled().missing(rounds.get(round))) {
        rows += fill(part, record, progress(listener, round, rounds.size(), rows));
        record.filled().add(part);
        record.store(rows);
      }
    }
    return record.finish(rows);
  }

  /** Is called with the share of a job that is done, and the rows that it has read. */
  @FunctionalInterface
  private interface Progress {
    void at(double share, long rows) throws IOException;
  }

  private static Progress progress(IndexListener listener, int round, int rounds, long before) {
    return (share, read) -> listener.progress((round + share) / rounds, before + read);
  }

  private List<KeyRange> rounds() throws IOException {
    byte[][] starts;
    try (RegionLocator regions = control.plain().getRegionLocator(control.physical())) {
      starts = regions.getStartKeys();
    }
    return RegionRanges.of(regionsOfRound(starts.length), starts);
  }

  /**
   * Returns the regions of a round: multiples of a job's tasks, so that none runs alone in the end.
   */
  static int regionsOfRound(int regions) {
    int least = Math.max(1, (regions + MOST_ROUNDS - 1) / MOST_ROUNDS);
    return (least + TaskPace.TASKS - 1) / TaskPace.TASKS * TaskPace.TASKS;
  }

  private long fill(KeyRange part, FillingRecord record, Progress progress) throws IOException {
    Configuration base = CellTags.read(EvenkeyConnection.plain(control.plain().getConfiguration()));
    try (JobDirectory directory =
        JobDirectory.in(work, "evenkey-index-" + entries.entries().table(), base)) {
      Path output = new Path(directory.path(), "hfiles");
      TableDescriptor target = target();
      Job job = job(base, directory, target, part, output);
      try {
        await(job, progress);
      } finally {
        TaskPace.forget(directory.path().getName());
      }
      HFiles.load(base, output, target.getTableName());
      record.written(count(job, EntryMapper.Count.ENTRIES));
      return count(job, EntryMapper.Count.ROWS);
    }
  }

  // The table of the entries may have been migrated.
  private TableDescriptor target() throws IOException {
    TableName physical =
        LastMigration.generation(control.plain(), control.registry(), entries.entries().table());
    try (Admin admin = control.plain().getAdmin()) {
      return admin.getDescriptor(physical);
    }
  }

  private Job job(
      Configuration base,
      JobDirectory directory,
      TableDescriptor target,
      KeyRange part,
      Path output)
      throws IOException {
    Configuration settings = new Configuration(base);
    TableJob.addTo(settings);
    TableJob.ignoreRegionSizes(settings);
    TaskFailures.to(settings, new Path(directory.path(), "failures"));
    settings.set("hbase.fs.tmp.dir", new Path(directory.path(), "staging").toString());
    Layout layout = Objects.requireNonNull(TableLayout.of(target));
    entries.addTo(settings);
    HFiles.addLayout(settings, layout);
    EntryMapper.addTo(settings, layout);
    new TaskPace(rowsPerSecond, directory.path().getName()).addTo(settings);
    Job job = Job.getInstance(settings, "evenkey index " + entries.entries().table());
    TableMapReduceUtil.initTableMapperJob(
        control.physical().getName(),
        scan(part),
        EntryMapper.class,
        ImmutableBytesWritable.class,
        MapReduceExtendedCell.class,
        job,
        false);
    try (RegionLocator regions = control.plain().getRegionLocator(target.getTableName())) {
      HFileOutputFormat2.configureIncrementalLoad(job, target, regions);
    }
    HFiles.addTables(job.getConfiguration(), List.of(target));
    HFiles.addTo(job, HFiles.class, output);
    job.setSpeculativeExecution(false);
    TableJob.addClasses(job, FilesFilling.class);
    TableMapReduceUtil.initCredentials(job);
    return job;
  }

  private Scan scan(KeyRange part) {
    Scan scan =
        entries
            .restricted(new Scan())
            .withStartRow(part.start())
            .withStopRow(part.stop())
            .setCaching(CACHING)
            .setCacheBlocks(false);
    scan.setAttribute(GuardAttributes.RAW, new byte[0]);
    return scan;
  }

  private static long count(Job job, EntryMapper.Count count) throws IOException {
    return job.getCounters().findCounter(count).getValue();
  }

  private void await(Job job, Progress progress) throws IOException {
    TableJob.run(
        job,
        running ->
            progress.at(
                (running.mapProgress() + running.reduceProgress()) / 2,
                count(running, EntryMapper.Count.ROWS)),
        this::failed,
        "interrupted while an index is filled");
  }

  private IOException failed(Job job) throws IOException, InterruptedException {
    Optional<RemoteException> failure = TaskFailures.first(job.getConfiguration());
    if (failure.isPresent()
        && failure.get().getClassName().equals(IndexLifeException.class.getName())) {
      return IndexLifeException.ofTask(failure.get());
    }
    return IndexLifeException.of(
        entries.table(),
        "job that fills an index failed",
        "index="
            + entries.index().name()
            + " job="
            + job.getJobID()
            + " reason=\""
            + failure.map(TaskFailures::firstLine).orElse(job.getStatus().getFailureInfo())
            + '"',
        "repeat the command, which goes on; or fill the index by puts");
  }
}
