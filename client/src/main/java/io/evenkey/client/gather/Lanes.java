package io.evenkey.client.gather;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.util.FutureUtils;

/** The ways from one scan to the servers of its table. Thread-safe. */
final class Lanes {
  /**
   * Requests of one scan that a server works on at once: a quarter of the handlers that HBase gives
   * a server by default (hbase.regionserver.handler.count is 30), so that four such scans keep it
   * busy and one does not shut the others out.
   */
  static final int REQUESTS_AT_ONCE = 8;

  private static final String NOWHERE = "unknown";

  private final AsyncTableRegionLocator locator;
  private final Map<String, Lane> lanes = new ConcurrentHashMap<>();

  Lanes(AsyncTable<?> table) {
    this.locator = table.getRegionLocator();
  }

  /** Tells where a row is, in whatever thread finds out; "unknown" if none does. */
  void server(byte[] row, Consumer<String> name) {
    FutureUtils.addListener(
        locator.getRegionLocation(row),
        (location, error) -> name.accept(error == null ? name(location) : NOWHERE));
  }

  private static String name(HRegionLocation location) {
    return location.getServerName() == null ? NOWHERE : location.getServerName().toShortString();
  }

  /** The way to a server. */
  Lane to(String server) {
    return lanes.computeIfAbsent(server, name -> new Lane(REQUESTS_AT_ONCE));
  }
}
