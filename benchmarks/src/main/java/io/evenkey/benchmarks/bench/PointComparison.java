/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.layout.Layout;
import io.evenkey.report.heat.counters.WriteTrace;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads of single rows, alternating between a plain table, the drop-in connection, and
 * row keys that the application salts by hand: over as many buckets, or over those of one slice.
 */
final class PointComparison implements Closeable {
  private static final int PLAIN = 0;
  private static final int EVENKEY = 1;

  private final Sides<PointSide> sides = new Sides<>();
  private final BenchRows rows;
  private final int rounds;
  private final int warmUpRounds;
  private final DataBlockEncoding encoding;
  private final int buckets;
  private final int over;
  private int written;

  PointComparison(BenchSettings settings, int buckets) {
    this.rows = settings.rows();
    this.rounds = settings.rounds();
    this.warmUpRounds = settings.warmUpRounds();
    this.encoding = settings.encoding();
    this.buckets = buckets;
    this.over = Math.min(buckets, settings.over());
  }

  /** Creates empty tables. */
  void create(Configuration hbase) throws IOException {
    Layout layout = EvenkeySide.layout(buckets, over);
    sides.add(
        PointSide.create(
            "plain",
            hbase,
            HBaseTables.table("bench_plain", encoding),
            HBaseTables.splits(rows, buckets),
            key -> key));
    sides.add(
        PointSide.create(
            "evenkey",
            EvenkeySide.dropIn(hbase),
            TableLayout.with(HBaseTables.table("bench_evenkey", encoding), layout),
            HBaseTables.splits(layout, buckets),
            key -> key));
    sides.add(
        PointSide.create(
            "naive",
            hbase,
            HBaseTables.table("bench_by_hand", encoding),
            HBaseTables.splits(EvenkeySide.layout(byHand(), 0), byHand()),
            this::saltedByHand));
  }

  private int byHand() {
    return over > 0 ? over : buckets;
  }

  private byte[] saltedByHand(byte[] key) {
    byte[] row = new byte[key.length + 1];
    row[0] = (byte) Math.floorMod(Arrays.hashCode(key), byHand());
    System.arraycopy(key, 0, row, 1, key.length);
    return row;
  }

  /** A side, and where its writes go; null if it only reads. */
  private record Traced(PointSide side, @Nullable WriteTrace trace) {
    /** Rows a second. */
    double rate(PointTask task, BenchRows rows, int[] numbers) throws IOException {
      long start = System.nanoTime();
      side.run(task, rows, numbers);
      double seconds = (System.nanoTime() - start) / 1e9;
      if (trace != null) {
        trace.endWindow();
      }
      return numbers.length / seconds;
    }
  }

  BenchRun run(PointTask task, Runnable roundEnded) throws IOException {
    List<Traced> traced = new ArrayList<>();
    for (PointSide side : sides.all()) {
      traced.add(new Traced(side, task.writes() ? side.trace() : null));
    }
    List<List<Double>> rates = new ArrayList<>();
    for (int round = -warmUpRounds; round < rounds; round++) {
      int[] numbers = numbers(task, round);
      List<Double> now = Rotation.of(traced, round, one -> one.rate(task, rows, numbers));
      if (round >= 0) {
        rates.add(now);
        roundEnded.run();
      }
    }
    Map<String, BenchRun.Figures> figures = new LinkedHashMap<>();
    for (int side = 0; side < traced.size(); side++) {
      Traced one = traced.get(side);
      figures.put(
          one.side.name(),
          BenchRun.Figures.withSkew(
              Quartiles.of(Rotation.rates(side, rates)).median(),
              one.trace == null ? null : one.trace.serverSkew()));
    }
    return new BenchRun(
        task.name(),
        buckets,
        Task.Unit.ROWS_PER_SECOND.toString(),
        figures,
        Quartiles.ofRatios(Rotation.rates(EVENKEY, rates), Rotation.rates(PLAIN, rates)));
  }

  /** For writes, keys that grow from round to round; for reads, random keys of written rows. */
  private int[] numbers(PointTask task, int round) {
    int[] numbers = new int[task.rows()];
    if (task.writes()) {
      int first = written;
      Arrays.setAll(numbers, i -> (first + i) % rows.count());
      written += task.rows();
    } else {
      SplittableRandom random = new SplittableRandom(round);
      int among = Math.min(written, rows.count());
      Arrays.setAll(numbers, i -> random.nextInt(among));
    }
    return numbers;
  }

  /** Writes the rows that are read later. */
  void fill(int count) throws IOException {
    int[] numbers = new int[Math.min(count, rows.count())];
    Arrays.setAll(numbers, i -> i);
    PointTask fill = new PointTask("fill", PointTask.How.BUFFERED, numbers.length);
    for (PointSide side : sides.all()) {
      side.run(fill, rows, numbers);
    }
    written = numbers.length;
  }

  @Override
  public void close() throws IOException {
    sides.close();
  }
}
