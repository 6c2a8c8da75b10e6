/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hbase.client;

import io.evenkey.client.internal.future.BlockingCallThreads;
import io.evenkey.client.internal.future.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.RegionLocations;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;

/**
 * The connection registry of a client's second connection, which asks the first connection: no
 * session with ZooKeeper of its own, and what the first one knows already is not asked again.
 *
 * <p>It is in HBase's package, since the registry of a connection is visible only here.
 * Thread-safe.
 */
final class SharedRegistry implements ConnectionRegistry {
  private final ConnectionImplementation first;
  private final AtomicBoolean known = new AtomicBoolean();

  SharedRegistry(ConnectionImplementation first) {
    this.first = first;
  }

  // A connection asks again when it has found the first answer outdated.
  @Override
  public CompletableFuture<RegionLocations> getMetaRegionLocations() {
    if (known.getAndSet(true)) {
      return first.getConnectionRegistry().getMetaRegionLocations();
    }
    return Futures.call(
        BlockingCallThreads::execute,
        () -> first.locateRegion(TableName.META_TABLE_NAME, new byte[0], true, true));
  }

  @Override
  public CompletableFuture<String> getClusterId() {
    return CompletableFuture.completedFuture(first.getClusterId());
  }

  @Override
  public CompletableFuture<ServerName> getActiveMaster() {
    return first.getConnectionRegistry().getActiveMaster();
  }

  @Override
  public String getConnectionString() {
    return first.getConnectionRegistry().getConnectionString();
  }

  /** Nothing: it is the first connection's. */
  @Override
  public void close() {}
}
