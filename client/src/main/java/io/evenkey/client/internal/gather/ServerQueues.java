/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.internal.future.Futures;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;

/** The ways from one scan to the servers of its table. Thread-safe. */
final class ServerQueues {
  /**
   * Requests of one scan that a server works on at once. More would wait there, before those of
   * others (hbase.regionserver.handler.count is 30 by default): with 256 buckets on two cores, two
   * gave 1.4 times what a plain scan gave, a thousand 1.3 times; servers with cores to spare want a
   * few more than two.
   */
  static final int REQUESTS_AT_ONCE = 4;

  private static final String NOWHERE = "unknown";

  private final AsyncTableRegionLocator locator;
  private final Map<String, ServerQueue> queues = new ConcurrentHashMap<>();

  ServerQueues(AsyncTable<?> table) {
    this.locator = table.getRegionLocator();
  }

  /**
   * Gives the way to the server where a row is, in whatever thread finds out; one to "unknown" if
   * none does.
   *
   * @param failed is given whatever the receiver throws
   */
  void to(byte[] row, Consumer<ServerQueue> then, Consumer<Throwable> failed) {
    Futures.whenDone(
        Futures.begin(() -> LongRows.location(locator, row)),
        (location, error) -> then.accept(queue(error == null ? name(location) : NOWHERE)),
        failed);
  }

  private ServerQueue queue(String server) {
    return queues.computeIfAbsent(server, name -> new ServerQueue(name, REQUESTS_AT_ONCE));
  }

  private static String name(HRegionLocation location) {
    return location.getServerName() == null ? NOWHERE : location.getServerName().toShortString();
  }
}
