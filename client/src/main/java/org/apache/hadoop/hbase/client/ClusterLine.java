/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hbase.client;

import com.google.protobuf.RpcChannel;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.trace.TableOperationSpanBuilder;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;

/** HBase 2.x: blocking connections are a client of their own, by {@link ClusterConnection}. */
abstract sealed class ClusterLine extends HBaseLine permits Line25, Line26 {
  /** HBase's own connection, as its factory makes one if nothing else is set. */
  abstract ConnectionImplementation connection(
      Configuration configuration,
      @Nullable ExecutorService pool,
      User user,
      Map<String, byte[]> attributes)
      throws IOException;

  @Override
  public @Nullable BlockingFacades facades() {
    return null;
  }

  @Override
  public Connection own(Connection connection) {
    return connection instanceof ForwardingConnection dropIn ? dropIn.plain() : connection;
  }

  /** An asynchronous connection as HBase's factory makes it. */
  abstract CompletableFuture<AsyncConnection> connect(
      Configuration configuration, User user, Map<String, byte[]> attributes);

  @Override
  public CompletableFuture<AsyncConnection> second(
      Connection first, Configuration configuration, User user, Map<String, byte[]> attributes) {
    return first instanceof ConnectionImplementation own
        ? CompletableFuture.completedFuture(
            asyncConnection(
                configuration, new SharedRegistry(own), own.getClusterId(), null, user, attributes))
        : connect(configuration, user, attributes);
  }

  @Override
  @Nullable Supplier<TableOperationSpanBuilder> spans(Connection connection) {
    return connection instanceof ClusterConnection own
        ? () -> new TableOperationSpanBuilder(own)
        : null;
  }

  @Override
  public @Nullable ExecutorService threads(Table table) {
    return table instanceof HTable own ? own.getPool() : null;
  }

  @Override
  public Class<?> rpcChannel() {
    return RpcChannel.class;
  }

  @Override
  public List<Pair<byte[], byte[]>> fuzzyKeys(FuzzyRowFilter filter) {
    return filter.getFuzzyKeys();
  }
}
