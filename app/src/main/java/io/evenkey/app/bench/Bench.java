package io.evenkey.app.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * The comparisons of {@code evenkey bench}, each on a running HBase. When a comparison ends or
 * fails, it drops the tables that it has created, and no others.
 */
public final class Bench {
  /** Warm-up rounds, for the compiler and the caches; they are not measured. */
  static final int WARM_UPS = 2;

  /** The least duration of the warm-up: shorter rounds are repeated until it is reached. */
  static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(4);

  private static final int ROWS_TO_READ = 100_000;

  private Bench() {}

  /**
   * Compares scans.
   *
   * @param hbase the configuration of HBase's own client
   * @param bucketCounts the numbers of buckets; each has its own tables
   * @param peers other systems to compare
   * @param listener receives every figure as soon as it is measured
   */
  public static List<BenchRun> scans(
      Configuration hbase,
      BenchRows rows,
      List<Integer> bucketCounts,
      List<Task> tasks,
      int rounds,
      List<Peer> peers,
      Listener listener)
      throws IOException {
    listener.begins(bucketCounts.size() * tasks.size() * rounds);
    List<BenchRun> runs = new ArrayList<>();
    try (Sides<Side> sides = new Sides<>()) {
      sides.add(new PlainSide(hbase));
      sides.add(new EvenkeySide(hbase));
      sides.add(new NaiveSide(hbase));
      for (Peer peer : peers) {
        sides.add(peer.connect(hbase));
      }
      for (int buckets : bucketCounts) {
        for (Side side : sides.all()) {
          side.fill(rows, buckets);
        }
        ScanComparison comparison = new ScanComparison(sides.all(), rows, rounds);
        for (Task task : tasks) {
          BenchRun run = comparison.run(task, buckets, listener::step);
          listener.measured(run);
          runs.add(run);
        }
        for (Side side : sides.all()) {
          side.drop();
        }
      }
    }
    return runs;
  }

  /** Compares writes of single rows; see {@link #scans}. */
  public static List<BenchRun> puts(
      Configuration hbase,
      BenchRows rows,
      List<Integer> bucketCounts,
      int rounds,
      Listener listener)
      throws IOException {
    return points(hbase, rows, bucketCounts, PointTask.puts(), rounds, listener);
  }

  /** Compares reads of single rows; see {@link #scans}. */
  public static List<BenchRun> gets(
      Configuration hbase,
      BenchRows rows,
      List<Integer> bucketCounts,
      int rounds,
      Listener listener)
      throws IOException {
    return points(hbase, rows, bucketCounts, PointTask.gets(), rounds, listener);
  }

  private static List<BenchRun> points(
      Configuration hbase,
      BenchRows rows,
      List<Integer> bucketCounts,
      List<PointTask> tasks,
      int rounds,
      Listener listener)
      throws IOException {
    listener.begins(bucketCounts.size() * tasks.size() * rounds);
    List<BenchRun> runs = new ArrayList<>();
    for (int buckets : bucketCounts) {
      try (PointComparison comparison = new PointComparison(rows, rounds, buckets)) {
        comparison.create(hbase);
        if (tasks.stream().noneMatch(PointTask::writes)) {
          comparison.fill(ROWS_TO_READ);
        }
        for (PointTask task : tasks) {
          BenchRun run = comparison.run(task, listener::step);
          listener.measured(run);
          runs.add(run);
        }
      }
    }
    return runs;
  }

  /** Is called with the progress of a comparison. */
  public interface Listener {
    /** The comparison begins, with this number of steps. */
    void begins(int steps);

    /** One step has ended. */
    void step();

    /** A figure has been measured. */
    void measured(BenchRun run);
  }
}
