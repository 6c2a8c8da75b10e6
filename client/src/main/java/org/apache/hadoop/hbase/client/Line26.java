/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hbase.client;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.security.User;
import org.jspecify.annotations.Nullable;

/** HBase 2.6: connections and requests have attributes. */
final class Line26 extends ClusterLine {
  static HBaseLine line() {
    return new Line26();
  }

  @Override
  ConnectionImplementation connection(
      Configuration configuration,
      @Nullable ExecutorService pool,
      User user,
      Map<String, byte[]> attributes)
      throws IOException {
    return new ConnectionImplementation(configuration, pool, user, attributes);
  }

  @Override
  public AsyncConnection asyncConnection(
      Configuration configuration,
      ConnectionRegistry registry,
      String clusterId,
      @Nullable SocketAddress local,
      User user,
      Map<String, byte[]> attributes) {
    return new AsyncConnectionImpl(configuration, registry, clusterId, user, attributes);
  }

  @Override
  CompletableFuture<AsyncConnection> connect(
      Configuration configuration, User user, Map<String, byte[]> attributes) {
    return ConnectionFactory.createAsyncConnection(configuration, user, attributes);
  }

  @Override
  public void copyAttributes(Table from, TableBuilder to) {
    from.getRequestAttributes().forEach(to::setRequestAttribute);
  }

  @Override
  public void copyAttributes(Table from, AsyncTableBuilder<?> to) {
    from.getRequestAttributes().forEach(to::setRequestAttribute);
  }

  @Override
  public void copyAttributes(BufferedMutatorParams from, AsyncTableBuilder<?> to) {
    from.getRequestAttributes().forEach(to::setRequestAttribute);
  }

  @Override
  public void copyAttributes(BufferedMutatorParams from, BufferedMutatorParams to) {
    from.getRequestAttributes().forEach(to::setRequestAttribute);
  }
}
