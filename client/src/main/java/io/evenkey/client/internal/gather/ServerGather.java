/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.metrics.ScanMeters;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.gather.GatherAnswer;
import io.evenkey.layout.gather.GatherAttributes;
import io.evenkey.layout.gather.GatherRequest;
import io.evenkey.layout.gather.GatherRule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
 * those that begin first, and merges the answers. A server without the module, or of another
 * version, or one that refuses, makes the future fail: then the ranges are read by scans of their
 * own, and nothing is lost. Stateless.
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
    long rows =
        order.ofFewSlices(ranges.size())
            ? GatherRule.mostRowsOfSlices(ranges.size())
            : Math.min(order.mostRows(), GatherRule.mostRows(ranges.size()) << answers);
    ScanMeters.started(ranges.size());
    return Futures.next(
        ask(table, opened.scans().get(0), ranges, order, rows),
        (first, error) -> {
          ScanMeters.asked(error == null);
          if (error != null) {
            return CompletableFuture.failedFuture(error);
          }
          FirstRows complete = opened.complete(first);
          ScanMeters.fetched(complete.rows().size());
          return CompletableFuture.completedFuture(complete);
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
    GatherServers servers = servers(order);
    RegionMap known = servers.regions();
    CompletableFuture<FirstRows> answer =
        Futures.chain(
            RegionRanges.byServer(table.getRegionLocator(), known, ranges),
            cut ->
                Futures.map(
                    ask(table, scan, order, rows, ranges.size(), cut.servers()),
                    first -> {
                      servers.succeeded(known, cut.regions());
                      return first;
                    }));
    return Futures.next(
        answer,
        (first, error) -> {
          if (error != null) {
            LOG.debug("rows not gathered by servers: table={}", table.getName(), error);
            servers.failed(known);
          }
          return answer;
        });
  }

  private static CompletableFuture<FirstRows> ask(
      AsyncTable<AdvancedScanResultConsumer> table,
      Scan scan,
      GatherOrder order,
      long rows,
      int ranges,
      Map<String, List<RegionRanges.InRegion>> servers) {
    List<CompletableFuture<FirstRows>> answers = new ArrayList<>();
    try {
      ByteString template = template(scan);
      for (List<RegionRanges.InRegion> regions : servers.values()) {
        GatherRequest request = request(order, rows, template, regions, ranges);
        Collector collector = new Collector();
        table.scan(scan(scan, request, regions.get(0)), collector);
        answers.add(collector.answer);
      }
    } catch (IOException | RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    return Futures.map(Futures.all(answers), all -> merge(all, order));
  }

  private static GatherServers servers(GatherOrder order) {
    return Objects.requireNonNull(order.servers(), "only where servers gather");
  }

  private static GatherRequest request(
      GatherOrder order,
      long rows,
      ByteString template,
      List<RegionRanges.InRegion> regions,
      int ranges) {
    List<GatherRequest.Part> parts = new ArrayList<>();
    int here = 0;
    for (RegionRanges.InRegion region : regions) {
      parts.add(new GatherRequest.Part(region.region().getEncodedName(), region.ranges()));
      here += region.ranges().size();
    }
    // As for buckets: this server's part of the limit, and three standard deviations.
    double part = servers(order).asked((double) rows * here / ranges);
    int limit = (int) Math.min(Math.min(rows, GatherRequest.MOST_ROWS), (long) part);
    return new GatherRequest(
        order.keyOffset(), order.reversed(), limit, MOST_BYTES, template, parts);
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
    Scan carrier =
        new Scan(scan)
            .setReversed(false)
            .withStartRow(row, true)
            .withStopRow(row, true)
            .setLimit(request.limit() + 1)
            .setCaching(request.limit() + 1)
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

  /** Collects one server's answer. */
  private static final class Collector implements AdvancedScanResultConsumer {
    private final CompletableFuture<FirstRows> answer = new CompletableFuture<>();
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
      try {
        byte[] head = results.isEmpty() ? null : results.get(0).getValue(ANSWER, ANSWER);
        if (head == null) {
          throw new IOException("server does not gather");
        }
        GatherAnswer parsed = GatherAnswer.parse(head);
        if (parsed.rows() != results.size() - 1) {
          // HBase sends a request again after an error; the rows of both are mixed then.
          throw new IOException(
              "answer cut off: rows=" + (results.size() - 1) + " expected=" + parsed.rows());
        }
        answer.complete(
            new FirstRows(List.copyOf(results.subList(1, results.size())), parsed.upTo(), true));
      } catch (Throwable e) {
        answer.completeExceptionally(e);
      }
    }
  }
}
