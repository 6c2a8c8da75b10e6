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

/** HBase 2.5: neither connections nor requests have attributes. */
final class Line25 extends ClusterLine {
  static HBaseLine line() {
    return new Line25();
  }

  @Override
  ConnectionImplementation connection(
      Configuration configuration,
      @Nullable ExecutorService pool,
      User user,
      Map<String, byte[]> attributes)
      throws IOException {
    refuse(attributes);
    return new ConnectionImplementation(configuration, pool, user);
  }

  @Override
  public AsyncConnection asyncConnection(
      Configuration configuration,
      ConnectionRegistry registry,
      String clusterId,
      @Nullable SocketAddress local,
      User user,
      Map<String, byte[]> attributes) {
    refuse(attributes);
    return new AsyncConnectionImpl(configuration, registry, clusterId, user);
  }

  @Override
  CompletableFuture<AsyncConnection> connect(
      Configuration configuration, User user, Map<String, byte[]> attributes) {
    refuse(attributes);
    return ConnectionFactory.createAsyncConnection(configuration, user);
  }

  private static void refuse(Map<String, byte[]> attributes) {
    if (!attributes.isEmpty()) {
      throw new UnsupportedOperationException(
          "attributes of a connection in HBase 2.5: attributes="
              + attributes.keySet()
              + "; HBase's client has them since 2.6");
    }
  }

  @Override
  public void copyAttributes(Table from, TableBuilder to) {}

  @Override
  public void copyAttributes(Table from, AsyncTableBuilder<?> to) {}

  @Override
  public void copyAttributes(BufferedMutatorParams from, AsyncTableBuilder<?> to) {}

  @Override
  public void copyAttributes(BufferedMutatorParams from, BufferedMutatorParams to) {}
}
