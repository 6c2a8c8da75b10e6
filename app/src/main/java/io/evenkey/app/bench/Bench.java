package io.evenkey.app.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * The comparisons of {@code evenkey bench}, each on an HBase that is running. A comparison drops
 * the tables that it has created, and no others, when it ends or fails.
 */
public final class Bench {
  /** Rounds that do not count: for the compiler and the caches. */
  static final int WARM_UPS = 2;

  /** Where two rounds are over sooner, there are more of them. */
  static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(4);

  private static final int ROWS_TO_READ = 100_000;

  private Bench() {}

  /**
   * Compares scans.
   *
   * @param hbase how HBase's own client reaches it
   * @param bucketCounts each on tables of its own
   * @param peers who take part besides
   * @param listener is called with every figure as soon as it is there
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
    /** It begins, and takes so many steps. */
    void begins(int steps);

    /** One of the steps is done. */
    void step();

    /** A figure is there. */
    void measured(BenchRun run);
  }
}
