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
import org.jspecify.annotations.Nullable;

/**
 * Answers one {@link GatherRequest}. Reads range after range, and of each only rows that may be
 * among the first ones: cheaper than a scanner held open for each range, since most ranges of a
 * short scan have no row that is wanted beyond their first.
 *
 * <p>A range with many rows of the first ones is left after its share; the answer then ends at the
 * last row that was read of it, and the client asks again from there.
 *
 * <p>Memory: twice the bytes of the request at most. Time: {@link #MOST_TIME}, after which the
 * request is refused; the client reads the ranges by scans of their own then. Not thread-safe.
 */
public final class RegionGather {
  private static final Duration MOST_TIME = Duration.ofSeconds(2);
  private static final byte[] ANSWER = GatherAttributes.ANSWER.getBytes(StandardCharsets.US_ASCII);

  private final GatherRequest request;
  private final ClientProtos.Scan template;
  private final OnlineRegions regions;
  private final TableName table;
  private final TopRows rows;
  private final int share;
  private final long deadline = System.nanoTime() + MOST_TIME.toNanos();

  /** The least of the last rows of ranges that were left after their share. */
  private byte @Nullable [] bound;

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
    for (GatherRequest.Part part : request.regions()) {
      read(part);
    }
    byte[] last = rows.isCut() ? rows.last() : null;
    byte[] upTo = rows.first(bound, last);
    List<Result> first = rows.upTo(upTo);
    GatherAnswer head = new GatherAnswer(first.size(), upTo == null ? null : ByteString.of(upTo));
    List<Result> all = new ArrayList<>(first.size() + 1);
    all.add(Result.create(List.<Cell>of(new KeyValue(row, ANSWER, ANSWER, head.toBytes()))));
    all.addAll(first);
    return all;
  }

  private void read(GatherRequest.Part part) throws IOException {
    Region found = regions.getRegion(part.region());
    if (!(found instanceof HRegion region) || !region.getRegionInfo().getTable().equals(table)) {
      throw new DoNotRetryIOException("region is not on this server: region=" + part.region());
    }
    region.startRegionOperation(Region.Operation.SCAN);
    try {
      for (KeyRange range : part.ranges()) {
        if (System.nanoTime() > deadline) {
          throw new DoNotRetryIOException("gather takes too long: ms=" + MOST_TIME.toMillis());
        }
        read(region, range);
      }
    } finally {
      region.closeRegionOperation(Region.Operation.SCAN);
    }
  }

  private void read(HRegion region, KeyRange range) throws IOException {
    Scan scan = scan(region, range);
    RegionCoprocessorHost host = region.getCoprocessorHost();
    if (host == null) {
      try (RegionScanner scanner = region.getScanner(scan)) {
        results(scanner).forEach(row -> rows.offer(rows.key(row.getRow()), row));
      }
      return;
    }
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
      results.addAll(results(scanner));
      host.postScannerNext(scanner, results, share, true);
      results.forEach(row -> rows.offer(rows.key(row.getRow()), row));
      host.preScannerClose(scanner);
    } finally {
      scanner.close();
      host.postScannerClose(scanner);
    }
  }

  private List<Result> results(RegionScanner scanner) throws IOException {
    RowReader reader = new RowReader(scanner, request.bytes());
    List<Result> results = new ArrayList<>();
    for (List<Cell> cells = reader.next(); cells != null; cells = reader.next()) {
      byte[] key = rows.key(CellUtil.cloneRow(cells.get(0)));
      if (!rows.wants(key)) {
        break;
      }
      results.add(Result.create(cells));
      if (results.size() == share) {
        bound = rows.first(bound, key);
        break;
      }
    }
    return results;
  }

  /** The scan of a range, prepared as HBase's own server does it. */
  private Scan scan(HRegion region, KeyRange range) throws IOException {
    Scan scan = ProtobufUtil.toScan(template);
    scan.setAttribute(GatherAttributes.REQUEST, null);
    if (request.reversed()) {
      scan.withStartRow(range.stop(), false).withStopRow(range.start(), true).setReversed(true);
    } else {
      scan.withStartRow(range.start()).withStopRow(range.stop());
    }
    if (!template.hasLoadColumnFamiliesOnDemand()) {
      scan.setLoadColumnFamiliesOnDemand(region.isLoadingCfsOnDemandDefault());
    }
    if (!scan.hasFamilies()) {
      for (byte[] family : region.getTableDescriptor().getColumnFamilyNames()) {
        scan.addFamily(family);
      }
    }
    RegionInfo info = region.getRegionInfo();
    if (info.getReplicaId() != RegionInfo.DEFAULT_REPLICA_ID) {
      throw new DoNotRetryIOException("gather of a replica: region=" + info.getEncodedName());
    }
    return scan;
  }
}
