/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/**
 * Lets every side make equal calls in alternation, on tables of one kind and one number of buckets:
 * a table without an index, one with an index, two tables written by hand, and the peers.
 */
final class IndexComparison implements Closeable {
  private static final int PLAIN = 0;
  private static final int EVENKEY = 1;

  /** Rows that are made at once when tables are filled. */
  private static final int CHUNK = 10_000;

  private final Sides<IndexSide> sides = new Sides<>();
  private final BenchSettings settings;
  private final IndexKind kind;
  private final int buckets;
  private final Orders orders;
  private final IndexCalls calls;
  private boolean filled;

  IndexComparison(BenchSettings settings, IndexKind kind, int buckets) {
    this.settings = settings;
    this.kind = kind;
    this.buckets = buckets;
    this.orders = new Orders(settings.rows().count());
    this.calls = new IndexCalls(orders);
  }

  /** Creates empty tables. */
  void create(Configuration hbase, List<Peer> peers) throws IOException {
    DataBlockEncoding encoding = settings.encoding();
    sides.add(SideTables.side(hbase, encoding, all -> SpreadSide.withoutIndex(all, kind, buckets)));
    sides.add(SideTables.side(hbase, encoding, all -> SpreadSide.withIndex(all, kind, buckets)));
    if (!kind.hasPeers()) {
      return;
    }
    if (!kind.isRead() && settings.sides().contains(NaiveSide.NAME)) {
      // The second of two tables is read as the first side's table is.
      sides.add(SideTables.side(hbase, encoding, all -> new TwoTablesSide(all, buckets)));
    }
    for (Peer peer : peers) {
      sides.add(peer.connect(hbase, kind, buckets));
    }
  }

  private void fill() throws IOException {
    for (int from = 0; from < orders.count(); from += CHUNK) {
      List<Order> some = orders.from(from, Math.min(CHUNK, orders.count() - from));
      for (IndexSide side : sides.all()) {
        side.buffer(some);
      }
    }
    for (IndexSide side : sides.all()) {
      side.flush();
      side.settle();
    }
    filled = true;
  }

  BenchRun run(IndexTask task, Runnable roundEnded) throws IOException {
    if (task.needsRows() && !filled) {
      fill();
    }
    List<IndexSide> able = sides.all().stream().filter(side -> side.can(task)).toList();
    List<List<IndexRound>> results = new ArrayList<>();
    for (int i = 0; i < settings.warmUpRounds(); i++) {
      round(task, able, -1 - i);
    }
    if (kind.isRead()) {
      for (IndexSide side : able) {
        warmUp(task, side);
      }
    }
    for (int round = 0; round < settings.rounds(); round++) {
      results.add(round(task, able, round));
      roundEnded.run();
    }
    Map<String, BenchRun.Figures> figures = new LinkedHashMap<>();
    for (int side = 0; side < able.size(); side++) {
      figures.put(able.get(side).name(), figures(task, Rotation.ofSide(side, results)));
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

  // Rows of writes would add up. Each side for as long: with a slow one in turn, a fast one would
  // not be compiled.
  private void warmUp(IndexTask task, IndexSide side) throws IOException {
    long begun = System.nanoTime();
    for (int i = 0; System.nanoTime() - begun < settings.warmUp().toNanos(); i++) {
      IndexRound.of(calls.of(task, -1 - i), side);
    }
  }

  /** One round of every side. */
  private List<IndexRound> round(IndexTask task, List<IndexSide> able, int number)
      throws IOException {
    List<IndexCall> made = calls.of(task, number);
    return Rotation.of(able, number, side -> IndexRound.of(made, side));
  }

  private static BenchRun.Figures figures(IndexTask task, List<IndexRound> results) {
    Latency latency =
        task.hasLatency()
            ? Latency.of(
                results.stream().flatMapToLong(one -> LongStream.of(one.nanos())).toArray())
            : null;
    return BenchRun.Figures.withLatency(Quartiles.of(values(task, results)).median(), latency);
  }

  private static double[] values(IndexTask task, List<IndexRound> results) {
    return results.stream().mapToDouble(round -> round.value(task.unit())).toArray();
  }

  @Override
  public void close() throws IOException {
    try (calls) {
      sides.close();
    }
  }
}
