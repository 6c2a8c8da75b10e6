/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/**
 * Lets every side do equal reads in alternation, so that other load on the machine affects all
 * sides. Every side has to read the same rows in the same order, or the comparison fails.
 */
final class ScanComparison {
  private static final int PLAIN = 0;
  private static final int EVENKEY = 1;

  private final List<ComparedStore> sides;
  private final BenchSettings settings;
  private final BenchRows rows;
  private final int rounds;

  /**
   * A comparison.
   *
   * @param sides the sides, filled; plain HBase first, Evenkey second
   */
  ScanComparison(List<ComparedStore> sides, BenchSettings settings) {
    this.sides = sides;
    this.settings = settings;
    this.rows = settings.rows();
    this.rounds = settings.rounds();
  }

  /** The figures of one side in one round. */
  private record Round(double seconds, long read, long checksum, double firstRowMillis) {
    double value(Task task) {
      return task.unit() == Task.Unit.ROWS_PER_SECOND
          ? read / seconds
          : seconds * 1e3 / task.repeats();
    }
  }

  BenchRun run(Task task, int buckets, Runnable roundEnded) throws IOException {
    List<ComparedStore> able = sides.stream().filter(side -> side.can(task)).toList();
    List<List<Round>> results = new ArrayList<>();
    for (ComparedStore side : able) {
      warmUp(side, task);
    }
    for (int round = 0; round < rounds; round++) {
      results.add(round(task, able, round));
      roundEnded.run();
    }
    Map<String, BenchRun.Figures> figures = new LinkedHashMap<>();
    for (int side = 0; side < able.size(); side++) {
      figures.put(
          able.get(side).name(), figures(able.get(side), task, Rotation.ofSide(side, results)));
    }
    return new BenchRun(
        task.name(),
        buckets,
        task.unit().toString(),
        figures,
        Quartiles.ofRatios(
            values(task, Rotation.ofSide(EVENKEY, results)),
            values(task, Rotation.ofSide(PLAIN, results))));
  }

  // Each side for as long: with a slow one in turn, a fast one would not be compiled.
  private void warmUp(ComparedStore side, Task task) throws IOException {
    long warm = System.nanoTime() + settings.warmUp().toNanos();
    for (int i = 0; i < settings.warmUpRounds() || System.nanoTime() < warm; i++) {
      for (KeyRange range : task.ranges(rows, -i)) {
        if (i >= settings.warmUpRounds() && System.nanoTime() > warm) {
          return;
        }
        read(side, task, range);
      }
    }
  }

  /** One round of every side. */
  private List<Round> round(Task task, List<ComparedStore> able, int number) throws IOException {
    List<KeyRange> ranges = task.ranges(rows, number);
    List<Round> now = Rotation.of(able, number, side -> round(side, task, ranges));
    for (int side = 0; side < able.size(); side++) {
      check(task, able.get(side), now.get(side), now.get(PLAIN));
    }
    return now;
  }

  private static void check(Task task, ComparedStore side, Round ours, Round plain)
      throws IOException {
    if (ours.checksum != plain.checksum || ours.read != plain.read) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s and plain read different rows: task=%s rows=%d plain=%d",
              side.name(),
              task.name(),
              ours.read,
              plain.read));
    }
  }

  private Round round(ComparedStore side, Task task, List<KeyRange> ranges) throws IOException {
    long start = System.nanoTime();
    List<Reading> readings =
        task.readers() == 1 ? alone(side, task, ranges) : together(side, task, ranges);
    double seconds = (System.nanoTime() - start) / 1e9;
    long read = 0;
    long checksum = 0;
    long firstRows = 0;
    for (Reading reading : readings) {
      read += reading.rows;
      checksum = 31 * checksum + reading.checksum;
      firstRows += reading.firstRowNanos;
    }
    return new Round(seconds, read, checksum, firstRows / 1e6 / readings.size());
  }

  private static List<Reading> alone(ComparedStore side, Task task, List<KeyRange> ranges)
      throws IOException {
    List<Reading> readings = new ArrayList<>(ranges.size());
    for (KeyRange range : ranges) {
      readings.add(read(side, task, range));
    }
    return readings;
  }

  private static List<Reading> together(ComparedStore side, Task task, List<KeyRange> ranges)
      throws IOException {
    ExecutorService readers = Executors.newFixedThreadPool(task.readers());
    try {
      List<Future<Reading>> futures = new ArrayList<>(ranges.size());
      for (KeyRange range : ranges) {
        futures.add(readers.submit(() -> read(side, task, range)));
      }
      List<Reading> readings = new ArrayList<>(ranges.size());
      for (Future<Reading> future : futures) {
        readings.add(future.get());
      }
      return readings;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while others read");
    } finally {
      readers.shutdownNow();
    }
  }

  /** Reads one scan to its end. */
  private record Reading(long rows, long checksum, long firstRowNanos) {}

  private static Reading read(ComparedStore side, Task task, KeyRange range) throws IOException {
    long start = System.nanoTime();
    try (RowScan scan = side.scan(task, range, false)) {
      long row = scan.next();
      long first = System.nanoTime() - start;
      long count = 0;
      long checksum = 0;
      for (; row != RowScan.END; row = scan.next()) {
        checksum = 31 * checksum + row;
        count++;
      }
      return new Reading(count, checksum, first);
    }
  }

  private static double[] values(Task task, List<Round> results) {
    return results.stream().mapToDouble(round -> round.value(task)).toArray();
  }

  private BenchRun.Figures figures(ComparedStore side, Task task, List<Round> results)
      throws IOException {
    boolean all = task.what() == Task.What.ALL;
    long read = 0;
    ScanMetrics metrics;
    try (RowScan scan = side.scan(task, task.ranges(rows, 0).get(0), true)) {
      while (scan.next() != RowScan.END) {
        read++;
      }
      metrics = scan.metrics();
    }
    double[] firstRows = results.stream().mapToDouble(Round::firstRowMillis).toArray();
    return new BenchRun.Figures(
        Quartiles.of(values(task, results)).median(),
        task.limit() > 0 ? null : Quartiles.of(firstRows).median(),
        metrics == null ? null : (double) metrics.countOfRowsScanned.get() / read,
        metrics == null ? null : (double) metrics.countOfBytesInResults.get() / read,
        all ? heldMegabytes(side, task) : null,
        null,
        null);
  }

  /** The additional reachable memory while a scan is open and a few rows have been read. */
  private double heldMegabytes(ComparedStore side, Task task) throws IOException {
    double before = Heap.settledMegabytes();
    try (RowScan scan = side.scan(task, KeyRange.all(), false)) {
      for (int i = 0; i < rows.count() / 20; i++) {
        scan.next();
      }
      return Math.max(0, Heap.settledMegabytes() - before);
    }
  }
}
