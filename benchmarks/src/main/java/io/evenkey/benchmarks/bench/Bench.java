/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * The comparisons of {@code evenkey bench}, each on a running HBase. When a comparison ends or
 * fails, it drops the tables that it has created, and no others.
 */
final class Bench {
  private static final int ROWS_TO_READ = 100_000;

  private Bench() {}

  /**
   * Compares scans.
   *
   * @param hbase the configuration of HBase's own client
   * @param peers other systems to compare
   * @param listener receives every figure as soon as it is measured
   */
  public static List<BenchRun> scans(
      Configuration hbase,
      BenchSettings settings,
      List<Task> tasks,
      List<Peer> peers,
      Listener listener)
      throws IOException {
    listener.begins(settings.buckets().size() * tasks.size() * settings.rounds());
    List<BenchRun> runs = new ArrayList<>();
    try (Sides<ComparedStore> sides = new Sides<>()) {
      sides.add(new PlainSide(hbase, settings.encoding()));
      sides.add(new EvenkeySide(hbase, settings));
      if (settings.sides().contains(ClientSide.NAME)) {
        sides.add(new ClientSide(hbase));
      }
      if (settings.over() == 0 && settings.sides().contains(NaiveSide.NAME)) {
        // Code by hand opens all buckets, whichever of them have rows.
        sides.add(new NaiveSide(hbase));
      }
      for (Peer peer : peers) {
        sides.add(peer.connect(hbase));
      }
      for (int buckets : settings.buckets()) {
        for (ComparedStore side : sides.all()) {
          side.fill(settings.rows(), buckets);
        }
        ScanComparison comparison = new ScanComparison(sides.all(), settings);
        for (Task task : tasks) {
          BenchRun run = comparison.run(task, buckets, listener::roundEnded);
          listener.measured(run);
          runs.add(run);
        }
        for (ComparedStore side : sides.all()) {
          side.drop();
        }
      }
    }
    return runs;
  }

  /** Compares writes of single rows; see {@link #scans}. */
  public static List<BenchRun> puts(Configuration hbase, BenchSettings settings, Listener listener)
      throws IOException {
    return points(hbase, settings, PointTask.puts(), listener);
  }

  /** Compares reads of single rows; see {@link #scans}. */
  public static List<BenchRun> gets(Configuration hbase, BenchSettings settings, Listener listener)
      throws IOException {
    return points(hbase, settings, PointTask.gets(), listener);
  }

  private static List<BenchRun> points(
      Configuration hbase, BenchSettings settings, List<PointTask> tasks, Listener listener)
      throws IOException {
    listener.begins(settings.buckets().size() * tasks.size() * settings.rounds());
    List<BenchRun> runs = new ArrayList<>();
    for (int buckets : settings.buckets()) {
      try (PointComparison comparison = new PointComparison(settings, buckets)) {
        comparison.create(hbase);
        if (tasks.stream().noneMatch(PointTask::writes)) {
          comparison.fill(ROWS_TO_READ);
        }
        for (PointTask task : tasks) {
          BenchRun run = comparison.run(task, listener::roundEnded);
          listener.measured(run);
          runs.add(run);
        }
      }
    }
    return runs;
  }

  /**
   * Compares tables that have an index with tables that have none; see {@link #scans}.
   *
   * @param tasks those of one kind one after another
   */
  public static List<BenchRun> indexes(
      Configuration hbase,
      BenchSettings settings,
      List<IndexTask> tasks,
      List<Peer> peers,
      Listener listener)
      throws IOException {
    listener.begins(settings.buckets().size() * tasks.size() * settings.rounds());
    List<BenchRun> runs = new ArrayList<>();
    for (int buckets : settings.buckets()) {
      for (IndexKind kind : tasks.stream().map(IndexTask::kind).distinct().toList()) {
        try (IndexComparison comparison = new IndexComparison(settings, kind, buckets)) {
          comparison.create(hbase, peers);
          for (IndexTask task : tasks) {
            if (task.kind() == kind) {
              BenchRun run = comparison.run(task, listener::roundEnded);
              listener.measured(run);
              runs.add(run);
            }
          }
        }
      }
    }
    return runs;
  }

  /** Has a table take a step of its salt, and compares it with tables that did not grow. */
  public static Growth growth(Configuration hbase, GrowthSettings settings, Listener listener)
      throws IOException {
    try (GrowthComparison comparison = new GrowthComparison(hbase, settings)) {
      return comparison.run(listener);
    }
  }

  /** Is called with the progress of a comparison. */
  public interface Listener {
    /** The comparison begins, with this number of rounds. */
    void begins(int rounds);

    /** One round of a task has ended. */
    void roundEnded();

    /** A figure has been measured. */
    void measured(BenchRun run);
  }
}
