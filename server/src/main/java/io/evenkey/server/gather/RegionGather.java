package io.evenkey.server.gather;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.gather.GatherAnswer;
import io.evenkey.layout.gather.GatherAttributes;
import io.evenkey.layout.gather.GatherRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
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
 * short scan have no row that is wanted beyond their first.
 *
 * <p>Works in rounds. In the first one it reads a share of the rows of each range: its part of the
 * limit, if rows fall into ranges as by chance, and three standard deviations. A range that has
 * more, and whose last row is before the end of what is wanted by then, is read on in the next
 * round, for twice as many rows.
 *
 * <p>Memory: the bytes of the request for the rows that are kept, and as much for those of the
 * range that is read. Time: {@link #MOST_TIME}, after which the request is refused; the client
 * reads the ranges by scans of their own then. Not thread-safe.
 */
public final class RegionGather {
  private static final Duration MOST_TIME = Duration.ofSeconds(1);
  private static final byte[] ANSWER = GatherAttributes.ANSWER.getBytes(StandardCharsets.US_ASCII);

  /** A range to read on from where its last round ended. */
  private record Open(HRegion region, KeyRange range, @Nullable ByteString last) {}

  /** Rows of a range, and the last of them if there may be further ones that are wanted. */
  private record Portion(List<Result> rows, @Nullable ByteString last) {}

  private final GatherRequest request;
  private final ClientProtos.Scan template;
  private final OnlineRegions regions;
  private final TableName table;
  private final TopRows rows;
  private final long deadlineMs = EnvironmentEdgeManager.currentTime() + MOST_TIME.toMillis();
  private int share;

  private RegionGather(GatherRequest request, OnlineRegions regions, TableName table)
      throws IOException {
    this.request = request;
    this.template = ClientProtos.Scan.parseFrom(request.scan().toArray());
    this.regions = regions;
    this.table = table;
    this.rows =
        new TopRows(request.keyOffset(), request.reversed(), request.limit(), request.bytes());
    double mean = (double) request.limit() / request.ranges();
    this.share = (int) Math.min(request.limit(), Math.ceil(mean + 3 * Math.sqrt(mean)));
  }

  /**
   * The scanner of the answer.
   *
   * @param bytes of the request
   * @param replaced the scanner that HBase has opened; closed with the returned one
   * @throws DoNotRetryIOException if the request cannot be answered here, as when a region is not
   *     on this server
   */
  public static RegionScanner open(
      byte[] bytes, Scan scan, RegionScanner replaced, OnlineRegions regions) throws IOException {
    GatherRequest request;
    try {
      request = GatherRequest.parse(bytes);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException("gather not understood", e);
    }
    RegionGather gather = new RegionGather(request, regions, replaced.getRegionInfo().getTable());
    byte[] row = scan.getStartRow();
    return new GatheredRows(replaced, gather.answer(row.length == 0 ? new byte[1] : row));
  }

  private List<Result> answer(byte[] row) throws IOException {
    List<Open> open = open();
    while (!open.isEmpty()) {
      open = round(open);
      share = (int) Math.min(request.limit(), 2L * share);
    }
    byte[] upTo = rows.isCut() ? rows.last() : null;
    List<Result> first = rows.sorted();
    GatherAnswer head = new GatherAnswer(first.size(), upTo == null ? null : ByteString.of(upTo));
    List<Result> all = new ArrayList<>(first.size() + 1);
    all.add(Result.create(List.<Cell>of(new KeyValue(row, ANSWER, ANSWER, head.toBytes()))));
    all.addAll(first);
    return all;
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
    for (Open one : open) {
      if (one.last == null || rows.wants(rows.key(one.last.toArray()))) {
        ByteString last = read(one);
        if (last != null) {
          left.add(new Open(one.region, one.range, last));
        }
      }
    }
    return left;
  }

  /** Reads a share of a range; its last row if there may be further ones that are wanted. */
  private @Nullable ByteString read(Open open) throws IOException {
    HRegion region = open.region;
    region.startRegionOperation(Region.Operation.SCAN);
    try {
      Scan scan = scan(open);
      RegionCoprocessorHost host = region.getCoprocessorHost();
      if (host != null) {
        return read(scan, region, host);
      }
      try (RegionScanner scanner = region.getScanner(scan)) {
        Portion portion = portion(scanner);
        offer(portion.rows);
        return portion.last;
      }
    } finally {
      region.closeRegionOperation(Region.Operation.SCAN);
    }
  }

  // As HBase's own server calls the coprocessors of a region, for a scan of one request.
  private @Nullable ByteString read(Scan scan, HRegion region, RegionCoprocessorHost host)
      throws IOException {
    host.preScannerOpen(scan);
    RegionScanner opened = region.getScanner(scan);
    RegionScanner scanner = opened;
    try {
      scanner = host.postScannerOpen(scan, opened);
      List<Result> results = new ArrayList<>();
      if (host.preScannerNext(scanner, results, share) != null || !results.isEmpty()) {
        throw new DoNotRetryIOException(
            "a coprocessor answers in place of the region: region="
                + region.getRegionInfo().getEncodedName());
      }
      Portion portion = portion(scanner);
      results.addAll(portion.rows);
      host.postScannerNext(scanner, results, share, true);
      offer(results);
      host.preScannerClose(scanner);
      return portion.last;
    } finally {
      scanner.close();
      host.postScannerClose(scanner);
    }
  }

  private Portion portion(RegionScanner scanner) throws IOException {
    RowReader reader = new RowReader(scanner, request.bytes(), deadlineMs);
    List<Result> results = new ArrayList<>();
    ByteString last = null;
    while (results.size() < share && reader.bytes() < request.bytes()) {
      List<Cell> cells = reader.next();
      if (cells == null || !rows.wants(rows.key(CellUtil.cloneRow(cells.get(0))))) {
        return new Portion(results, null);
      }
      last = ByteString.of(CellUtil.cloneRow(cells.get(0)));
      results.add(Result.create(cells));
    }
    return new Portion(results, last);
  }

  private void offer(List<Result> results) {
    for (Result row : results) {
      rows.offer(rows.key(row.getRow()), row);
    }
  }

  /** The scan of the rest of a range, prepared as HBase's own server does it. */
  private Scan scan(Open open) throws IOException {
    Scan scan = ProtobufUtil.toScan(template);
    scan.setAttribute(GatherAttributes.REQUEST, null);
    KeyRange range = open.range;
    byte[] last = open.last == null ? null : open.last.toArray();
    if (request.reversed()) {
      byte[] from = last == null ? range.stop() : last;
      scan.withStartRow(from, false).withStopRow(range.start(), true).setReversed(true);
    } else {
      scan.withStartRow(last == null ? range.start() : last, last == null)
          .withStopRow(range.stop());
    }
    if (!template.hasLoadColumnFamiliesOnDemand()) {
      scan.setLoadColumnFamiliesOnDemand(open.region.isLoadingCfsOnDemandDefault());
    }
    if (!scan.hasFamilies()) {
      for (byte[] family : open.region.getTableDescriptor().getColumnFamilyNames()) {
        scan.addFamily(family);
      }
    }
    return scan;
  }
}
