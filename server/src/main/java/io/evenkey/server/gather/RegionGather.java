/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.gather;

import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.protocol.gather.GatherAttributes;
import io.evenkey.protocol.gather.GatherRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.jspecify.annotations.Nullable;

/**
 * Answers one {@link GatherRequest}. Reads range after range, and of each only rows that may be
 * among the first ones: cheaper than a scanner held open for each range, since most ranges of a
 * short scan have no row that is wanted beyond their first. One scanner reads all ranges of a
 * region, and seeks from one to the next; a scan that is reversed or has a filter opens one for
 * each.
 *
 * <p>Works in rounds. In the first one it reads a share of the rows of each range: its part of the
 * limit, if rows fall into ranges as by chance, and three standard deviations. A range that has
 * more, and whose last row is before the end of what is wanted by then, is read on in the next
 * round, for twice as many rows. If the rows of each range are wanted, there is one round.
 *
 * <p>Memory: the bytes of the request for the rows that are kept, and as much for those of the
 * range that is read. Time: {@link #MOST_TIME}, after which the request is refused; the client
 * reads the ranges by scans of their own then. Not thread-safe.
 */
public final class RegionGather {
  private static final Duration MOST_TIME = Duration.ofSeconds(1);
  private static final byte[] NO_STOP = {};

  /** A range to read on from where its last round ended. */
  private record Open(HRegion region, KeyRange range, @Nullable Cell last) {}

  /** Rows of a range, and a cell of the last one; whether no further ones may be wanted. */
  private record Portion(List<Result> rows, @Nullable Cell last, boolean ended) {}

  private final GatherRequest request;
  private final ClientProtos.Scan template;
  private final OnlineRegions regions;
  private final TableName table;
  private final AnswerRows rows;

  /** The most bytes of one range in a round. */
  private final long mostBytes;

  private final long deadlineMs = EnvironmentEdgeManager.currentTime() + MOST_TIME.toMillis();
  private int share;

  /** Whether a coprocessor replaces the regions' scanner. */
  private boolean replaced;

  private RegionGather(GatherRequest request, OnlineRegions regions, TableName table)
      throws IOException {
    this.request = request;
    this.template = template(request);
    this.regions = regions;
    this.table = table;
    int ranges = request.ranges();
    if (request.ofEach()) {
      long halfMs = deadlineMs - MOST_TIME.toMillis() / 2;
      this.rows = new RangeRows(request.bytes(), halfMs);
      this.share = Math.max(1, request.limit() / ranges);
      this.mostBytes = Math.max(1, request.bytes() / ranges);
    } else {
      this.rows =
          new TopRows(request.keyOffset(), request.reversed(), request.limit(), request.bytes());
      double mean = (double) request.limit() / ranges;
      this.share = (int) Math.min(request.limit(), Math.ceil(mean + 3 * Math.sqrt(mean)));
      this.mostBytes = request.bytes();
    }
  }

  /**
   * The scanner of the answer.
   *
   * @param bytes of the request
   * @param replaced the scanner that HBase has opened; closed with the returned one
   * @param metrics count the answer, or the failure
   * @throws DoNotRetryIOException if the request cannot be answered here, as when a region is not
   *     on this server
   */
  public static RegionScanner open(
      byte[] bytes, Scan scan, RegionScanner replaced, OnlineRegions regions, GatherMetrics metrics)
      throws IOException {
    long began = System.nanoTime();
    List<Result> answer = null;
    try {
      HeldAnswers.OF_PROCESS.checkRoom();
      RegionGather gather = of(bytes, replaced, regions);
      List<Result> rows = gather.answer(scan.getStartRow());
      RegionScanner answering =
          new GatheredRows(replaced, rows, gather.rows.bytes(), HeldAnswers.OF_PROCESS);
      answer = rows;
      return answering;
    } finally {
      if (answer == null) {
        metrics.failed().increment();
      } else {
        metrics.rows().increment(answer.size() - 1L);
        metrics.time().updateNanos(System.nanoTime() - began);
      }
    }
  }

  private static RegionGather of(byte[] bytes, RegionScanner replaced, OnlineRegions regions)
      throws IOException {
    GatherRequest request;
    try {
      request = GatherRequest.parse(bytes);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException("gather not understood", e);
    }
    return new RegionGather(request, regions, replaced.getRegionInfo().getTable());
  }

  /** Whether a scanner gives an answer of {@link #open}, whose rows may be of other regions. */
  public static boolean isAnswer(InternalScanner scanner) {
    return scanner instanceof GatheredRows;
  }

  private static ClientProtos.Scan template(GatherRequest request) throws DoNotRetryIOException {
    try {
      ClientProtos.Scan template = ClientProtos.Scan.parseFrom(request.scan().toArray());
      // Reads its filter.
      ProtobufUtil.toScan(template);
      return template;
    } catch (IOException e) {
      // A client sends a request that fails by another exception again, until its timeout.
      throw new DoNotRetryIOException("scan of a gather not understood", e);
    }
  }

  /** Reads all rows; {@code row} is that of the head if it is not empty. */
  private List<Result> answer(byte[] row) throws IOException {
    List<Open> open = round(open());
    while (!open.isEmpty() && !request.ofEach()) {
      share = (int) Math.min(request.limit(), 2L * share);
      open = round(open);
    }
    return rows.answer(row.length == 0 ? new byte[1] : row);
  }

  private List<Open> open() throws IOException {
    List<Open> open = new ArrayList<>();
    for (GatherRequest.Part part : request.regions()) {
      Region found = regions.getRegion(part.region());
      if (!(found instanceof HRegion region) || !region.getRegionInfo().getTable().equals(table)) {
        throw new DoNotRetryIOException("region is not on this server: region=" + part.region());
      }
      if (region.getRegionInfo().getReplicaId() != RegionInfo.DEFAULT_REPLICA_ID) {
        throw new DoNotRetryIOException("gather of a replica: region=" + part.region());
      }
      for (KeyRange range : part.ranges()) {
        open.add(new Open(region, range, null));
      }
    }
    return open;
  }

  /** Reads a share of each range; the ranges that have further rows that are wanted. */
  private List<Open> round(List<Open> open) throws IOException {
    List<Open> left = new ArrayList<>();
    int from = 0;
    for (int to = 1; to <= open.size(); to++) {
      if (to == open.size() || !shareScanner(open.get(from), open.get(to))) {
        read(open.subList(from, to), left);
        from = to;
      }
    }
    return left;
  }

  // A scan in descending order cannot seek, and a filter may keep a state from row to row.
  private boolean shareScanner(Open a, Open b) {
    return a.region.equals(b.region) && !request.reversed() && !template.hasFilter() && !replaced;
  }

  private boolean isWanted(Open range) {
    return range.last == null || rows.wants(range.last);
  }

  /** Reads a share of some ranges of one region, and adds those that may have wanted rows left. */
  private void read(List<Open> ranges, List<Open> left) throws IOException {
    List<Open> wanted = ranges.stream().filter(this::isWanted).toList();
    if (wanted.isEmpty()) {
      return;
    }
    HRegion region = wanted.get(0).region;
    region.startRegionOperation(Region.Operation.SCAN);
    try {
      Scan scan = scan(wanted);
      RegionCoprocessorHost host = region.getCoprocessorHost();
      if (host != null) {
        read(scan, region, host, wanted, left);
      } else {
        try (RegionScanner scanner = region.getScanner(scan)) {
          RowReader reader = reader(scanner, scan);
          for (Open one : wanted) {
            Portion portion = portion(reader, one);
            rows.add(portion.rows, portion.ended);
            addLeft(one, portion, left);
          }
        }
      }
    } finally {
      region.closeRegionOperation(Region.Operation.SCAN);
    }
  }

  // As HBase's own server calls the coprocessors of a region, for a scan of one request a range.
  private void read(
      Scan scan, HRegion region, RegionCoprocessorHost host, List<Open> ranges, List<Open> left)
      throws IOException {
    host.preScannerOpen(scan);
    RegionScanner opened = region.getScanner(scan);
    RegionScanner scanner = opened;
    try {
      scanner = host.postScannerOpen(scan, opened);
      replaced = scanner != opened;
      if (!replaced || ranges.size() == 1) {
        RowReader reader = reader(scanner, scan);
        for (Open one : ranges) {
          if (isWanted(one)) {
            addLeft(one, read(one, reader, scanner, region, host), left);
          }
        }
        if (ranges.size() > 1 && scanner.isFilterDone()) {
          throw new DoNotRetryIOException(
              "a coprocessor's filter ends the scan of all ranges: region="
                  + region.getRegionInfo().getEncodedName());
        }
        host.preScannerClose(scanner);
        return;
      }
      host.preScannerClose(scanner);
    } finally {
      scanner.close();
      host.postScannerClose(scanner);
    }
    // A scanner by which a coprocessor has replaced the region's may not be able to seek.
    for (Open one : ranges) {
      read(List.of(one), left);
    }
  }

  private RowReader reader(RegionScanner scanner, Scan scan) {
    return RowReader.of(scanner, scan.getFilter(), request.bytes(), deadlineMs);
  }

  private Portion read(
      Open one, RowReader reader, RegionScanner scanner, HRegion region, RegionCoprocessorHost host)
      throws IOException {
    List<Result> results = new ArrayList<>();
    if (host.preScannerNext(scanner, results, share) != null || !results.isEmpty()) {
      throw new DoNotRetryIOException(
          "a coprocessor answers instead of the region: region="
              + region.getRegionInfo().getEncodedName());
    }
    Portion portion = portion(reader, one);
    results.addAll(portion.rows);
    host.postScannerNext(scanner, results, share, true);
    rows.add(results, portion.ended);
    return portion;
  }

  private static void addLeft(Open one, Portion portion, List<Open> left) {
    if (!portion.ended) {
      left.add(new Open(one.region, one.range, portion.last));
    }
  }

  private Portion portion(RowReader reader, Open one) throws IOException {
    if (rows.isFull()) {
      return new Portion(List.of(), one.last, false);
    }
    byte[] stop = request.reversed() ? NO_STOP : one.range.stop();
    if (!request.reversed()) {
      reader.seek(
          one.last == null ? one.range.start() : KeyRange.successor(CellUtil.cloneRow(one.last)));
    }
    long before = reader.bytes();
    List<Result> results = new ArrayList<>();
    Cell last = null;
    while (results.size() < share && reader.bytes() - before < mostBytes) {
      List<Cell> cells = reader.next(stop);
      if (cells == null || !rows.wants(cells.get(0))) {
        return new Portion(results, last, true);
      }
      last = cells.get(0);
      results.add(Result.create(cells));
    }
    return new Portion(results, last, false);
  }

  /** The scan of the rest of ranges, prepared as HBase's own server does it. */
  private Scan scan(List<Open> ranges) throws IOException {
    Scan scan = ProtobufUtil.toScan(template);
    scan.setAttribute(GatherAttributes.REQUEST, null);
    Open first = ranges.get(0);
    byte[] last = first.last == null ? null : CellUtil.cloneRow(first.last);
    if (request.reversed()) {
      byte[] from = last == null ? first.range.stop() : last;
      scan.withStartRow(from, false).withStopRow(first.range.start(), true).setReversed(true);
    } else {
      scan.withStartRow(last == null ? first.range.start() : last, last == null)
          .withStopRow(ranges.get(ranges.size() - 1).range.stop());
    }
    if (!template.hasLoadColumnFamiliesOnDemand()) {
      scan.setLoadColumnFamiliesOnDemand(first.region.isLoadingCfsOnDemandDefault());
    }
    if (!scan.hasFamilies()) {
      for (byte[] family : first.region.getTableDescriptor().getColumnFamilyNames()) {
        scan.addFamily(family);
      }
    }
    return scan;
  }
}
