/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.metrics.ScanMeters;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.protocol.gather.GatherAnswer;
import io.evenkey.protocol.gather.GatherAttributes;
import io.evenkey.protocol.gather.GatherPortions;
import io.evenkey.protocol.gather.GatherRequest;
import io.evenkey.protocol.gather.GatherRule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks each region server once for the first rows of all ranges of a scan that are there, or of
 * those that begin first, and merges the answers; or for the first rows of each range. A server
 * without the module, or of another version, or one that refuses, makes the future fail: then the
 * ranges are read by scans of their own, and nothing is lost. Stateless.
 */
final class ServerGather {
  private static final Logger LOG = LoggerFactory.getLogger(ServerGather.class);
  private static final byte[] ANSWER = GatherAttributes.ANSWER.getBytes(StandardCharsets.US_ASCII);

  private static final long MOST_BYTES = 2L << 20;

  private ServerGather() {}

  /**
   * Asks for the first rows: for so many as one request a server is faster for, and for twice as
   * many the second time.
   *
   * @param answers the number of answers that the scan has had
   */
  static CompletableFuture<FirstRows> ask(
      AsyncTable<AdvancedScanResultConsumer> table,
      ScanRanges scanned,
      GatherOrder order,
      int answers) {
    FirstRanges opened;
    try {
      opened = scanned.first(order, answers);
    } catch (IOException | RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    List<KeyRange> ranges = ScannedRegions.ranges(opened.scans());
    long rows = Math.min(order.mostRows(), GatherRule.mostRows(ranges.size()) << answers);
    ScanMeters.started(ranges.size());
    return Futures.map(
        counted(ask(table, opened.scans().get(0), ranges, order, rows)),
        first -> {
          FirstRows complete = opened.complete(first);
          ScanMeters.fetched(complete.rows().size());
          return complete;
        });
  }

  private static <A> CompletableFuture<A> counted(CompletableFuture<A> answer) {
    return Futures.next(
        answer,
        (value, error) -> {
          ScanMeters.asked(error == null);
          return answer;
        });
  }

  /**
   * Asks the servers that have some ranges for their first rows, and remembers whether they could
   * answer.
   *
   * @param scan what is read of each row
   * @param ranges in ascending order
   * @param rows the number of rows that are wanted
   */
  static CompletableFuture<FirstRows> ask(
      AsyncTable<AdvancedScanResultConsumer> table,
      Scan scan,
      List<KeyRange> ranges,
      GatherOrder order,
      long rows) {
    return answered(
        table,
        ranges,
        order,
        servers -> {
          ByteString template = template(scan);
          List<CompletableFuture<FirstRows>> answers = new ArrayList<>();
          for (List<RegionRanges.InRegion> regions : servers) {
            // As for buckets: this server's part of the limit, and three standard deviations.
            double part = servers(order).asked((double) rows * count(regions) / ranges.size());
            int limit = (int) Math.min(Math.min(rows, GatherRequest.MOST_ROWS), (long) part);
            GatherRequest request = request(order, false, limit, MOST_BYTES, template, regions);
            answers.add(Futures.map(send(table, scan, request, regions), ServerGather::firstRows));
          }
          return Futures.map(Futures.all(answers), all -> merge(all, order));
        });
  }

  /**
   * Asks the servers for the first rows of each range, by one request to each, and remembers
   * whether they could answer. Of a range that is in several regions, the first one is asked.
   *
   * @param scans of the ranges, ascending
   * @param rows the number of rows of each range
   * @return for each range its first rows
   */
  static CompletableFuture<List<BegunRange>> begin(
      AsyncTable<AdvancedScanResultConsumer> table, List<Scan> scans, GatherOrder order, int rows) {
    List<KeyRange> ranges = ScannedRegions.ranges(scans);
    Scan scan = scans.get(0);
    return counted(
        answered(
            table,
            ranges,
            order,
            servers -> {
              ByteString template = template(scan);
              BegunRange[] begun = new BegunRange[ranges.size()];
              Arrays.fill(begun, BegunRange.NOT_READ);
              List<CompletableFuture<Boolean>> answers = new ArrayList<>();
              for (List<RegionRanges.InRegion> all : servers) {
                List<RegionRanges.InRegion> regions = beginning(all, ranges, order);
                if (regions.isEmpty()) {
                  continue;
                }
                long here = count(regions);
                int limit = (int) Math.min(GatherRequest.MOST_ROWS, here * rows);
                long bytes = Math.min(MOST_BYTES, here * scan.getMaxResultSize());
                GatherRequest request = request(order, true, limit, bytes, template, regions);
                answers.add(
                    Futures.map(
                        send(table, scan, request, regions),
                        results -> {
                          begin(begun, results, regions, ranges);
                          return true;
                        }));
              }
              return Futures.map(Futures.all(answers), all -> List.of(begun));
            }));
  }

  /** The parts at which ranges begin: the others are further parts of these. */
  private static List<RegionRanges.InRegion> beginning(
      List<RegionRanges.InRegion> regions, List<KeyRange> ranges, GatherOrder order) {
    List<RegionRanges.InRegion> begun = new ArrayList<>(regions.size());
    for (RegionRanges.InRegion region : regions) {
      // Only the first part in a region may have begun in the one before; or the last, backwards.
      int parts = region.ranges().size();
      int from = order.reversed() || begins(region, 0, ranges, order) ? 0 : 1;
      int to = !order.reversed() || begins(region, parts - 1, ranges, order) ? parts : parts - 1;
      if (from < to) {
        begun.add(region.part(from, to));
      }
    }
    return begun;
  }

  private static boolean begins(
      RegionRanges.InRegion region, int part, List<KeyRange> ranges, GatherOrder order) {
    KeyRange whole = ranges.get(region.first() + part);
    KeyRange here = region.ranges().get(part);
    return order.reversed()
        ? Arrays.equals(here.stop(), whole.stop())
        : Arrays.equals(here.start(), whole.start());
  }

  private static int count(List<RegionRanges.InRegion> regions) {
    return regions.stream().mapToInt(region -> region.ranges().size()).sum();
  }

  /** The answers of servers, by the strategy that asks each of them for its ranges. */
  private static <A> CompletableFuture<A> answered(
      AsyncTable<AdvancedScanResultConsumer> table,
      List<KeyRange> ranges,
      GatherOrder order,
      Futures.Fallible<Collection<List<RegionRanges.InRegion>>, CompletableFuture<A>> asking) {
    GatherServers servers = servers(order);
    RegionMap known = servers.regions();
    CompletableFuture<A> answer =
        Futures.chain(
            RegionRanges.byServer(table.getRegionLocator(), known, ranges),
            cut ->
                Futures.map(
                    asking.apply(cut.servers().values()),
                    value -> {
                      servers.succeeded(known, cut.regions());
                      return value;
                    }));
    return Futures.next(
        answer,
        (value, error) -> {
          if (error != null) {
            LOG.debug("rows not gathered by servers: table={}", table.getName(), error);
            servers.failed(known);
          }
          return answer;
        });
  }

  private static GatherServers servers(GatherOrder order) {
    return Objects.requireNonNull(order.servers(), "only where servers gather");
  }

  private static GatherRequest request(
      GatherOrder order,
      boolean ofEach,
      int limit,
      long bytes,
      ByteString template,
      List<RegionRanges.InRegion> regions) {
    List<GatherRequest.Part> parts = new ArrayList<>();
    for (RegionRanges.InRegion region : regions) {
      parts.add(new GatherRequest.Part(region.region().getEncodedName(), region.ranges()));
    }
    return new GatherRequest(
        order.keyOffset(), order.reversed(), ofEach, limit, bytes, template, parts);
  }

  private static CompletableFuture<List<Result>> send(
      AsyncTable<AdvancedScanResultConsumer> table,
      Scan scan,
      GatherRequest request,
      List<RegionRanges.InRegion> regions)
      throws IOException {
    Collector collector = new Collector();
    table.scan(scan(scan, request, regions.get(0)), collector);
    return collector.answer;
  }

  private static ByteString template(Scan scan) throws IOException {
    Scan template =
        new Scan(scan)
            .withStartRow(new byte[0])
            .withStopRow(new byte[0])
            .setReversed(false)
            .setLimit(-1);
    return ByteString.of(ProtobufUtil.toScan(template).toByteArray());
  }

  /** The scan that carries a request: of one row of one region, where it reads nothing itself. */
  private static Scan scan(Scan scan, GatherRequest request, RegionRanges.InRegion first)
      throws IOException {
    byte[] start = first.region().getStartKey();
    byte[] row = start.length == 0 ? new byte[] {0} : start;
    int most = 1 + request.limit();
    Scan carrier =
        new Scan(scan)
            .setReversed(false)
            .withStartRow(row, true)
            .withStopRow(row, true)
            .setLimit(most)
            .setCaching(most)
            .setMaxResultSize(Long.MAX_VALUE)
            .setFilter((Filter) null);
    carrier.setAttribute(GatherAttributes.REQUEST, request.toBytes());
    return carrier;
  }

  private static FirstRows merge(List<FirstRows> answers, GatherOrder order) {
    ByteString bound = null;
    List<Result> rows = new ArrayList<>();
    for (FirstRows answer : answers) {
      ByteString upTo = answer.upTo();
      if (upTo != null && (bound == null || order.compare(upTo.toArray(), bound.toArray()) < 0)) {
        bound = upTo;
      }
      rows.addAll(answer.rows());
    }
    // Each server's rows are in order: sorting merges such runs.
    rows.sort(order::compare);
    return new FirstRows(bound == null ? rows : upTo(rows, bound.toArray(), order), bound, true);
  }

  private static List<Result> upTo(List<Result> rows, byte[] bound, GatherOrder order) {
    int count = rows.size();
    while (count > 0 && order.compare(rows.get(count - 1), bound) > 0) {
      count--;
    }
    return rows.subList(0, count);
  }

  /** Takes the rows of each range of a request from an answer. */
  private static void begin(
      BegunRange[] begun,
      List<Result> results,
      List<RegionRanges.InRegion> regions,
      List<KeyRange> ranges)
      throws IOException {
    List<GatherPortions.Portion> portions = GatherPortions.parse(head(results)).ranges();
    if (portions.size() != count(regions)) {
      throw cutOff(portions.size(), count(regions));
    }
    int next = 0;
    int at = 1;
    for (RegionRanges.InRegion region : regions) {
      for (int part = 0; part < region.ranges().size(); part++) {
        GatherPortions.Portion portion = portions.get(next++);
        int end = at + portion.rows();
        if (end > results.size()) {
          throw cutOff(results.size(), end);
        }
        int range = region.first() + part;
        boolean isWhole = portion.isWhole() && region.ranges().get(part).equals(ranges.get(range));
        begun[range] = new BegunRange(results.subList(at, end), isWhole);
        at = end;
      }
    }
    checkEnd(results, at);
  }

  private static FirstRows firstRows(List<Result> results) throws IOException {
    GatherAnswer head = GatherAnswer.parse(head(results));
    checkEnd(results, 1 + head.rows());
    return new FirstRows(List.copyOf(results.subList(1, results.size())), head.upTo(), true);
  }

  private static byte[] head(List<Result> results) throws IOException {
    byte[] bytes = results.isEmpty() ? null : results.get(0).getValue(ANSWER, ANSWER);
    if (bytes == null) {
      throw new IOException("server does not gather");
    }
    return bytes;
  }

  // HBase sends a request again after an error; the rows of both are mixed then.
  private static void checkEnd(List<Result> results, int expected) throws IOException {
    if (results.size() != expected) {
      throw cutOff(results.size(), expected);
    }
  }

  private static IOException cutOff(int found, int expected) {
    return new IOException("answer cut off: found=" + found + " expected=" + expected);
  }

  /** Collects the rows of one server's answer, heads included. */
  private static final class Collector implements AdvancedScanResultConsumer {
    private final CompletableFuture<List<Result>> answer = new CompletableFuture<>();
    private final List<Result> results = new ArrayList<>();

    @Override
    public void onNext(Result[] rows, ScanController controller) {
      results.addAll(Arrays.asList(rows));
    }

    @Override
    public void onError(Throwable error) {
      answer.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
      answer.complete(results);
    }
  }
}
