/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.traffic;

import java.net.SocketAddress;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.MetricsConnection;
import org.apache.hadoop.hbase.ipc.NettyRpcClient;
import org.apache.hadoop.hbase.security.User;
import org.apache.hbase.thirdparty.com.google.protobuf.BlockingRpcChannel;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.RpcChannel;

/** HBase's own client of its RPCs, which also counts them. */
public final class CountingRpcClient extends NettyRpcClient {
  private final RequestCounts counts;

  /** As HBase calls it before 2.6. */
  public CountingRpcClient(
      Configuration configuration, String cluster, SocketAddress local, MetricsConnection metrics) {
    super(configuration, cluster, local, metrics);
    this.counts = RequestCounts.in(configuration);
  }

  /** As HBase calls it from 2.6 on. */
  public CountingRpcClient(
      Configuration configuration,
      String cluster,
      SocketAddress local,
      MetricsConnection metrics,
      Map<String, byte[]> attributes) {
    this(configuration, cluster, local, metrics);
  }

  @Override
  public BlockingRpcChannel createBlockingRpcChannel(ServerName server, User user, int timeout) {
    BlockingRpcChannel channel = super.createBlockingRpcChannel(server, user, timeout);
    return (method, controller, request, response) -> {
      counts.count(method, request);
      Message answer = channel.callBlockingMethod(method, controller, request, response);
      counts.answered(request, answer);
      return answer;
    };
  }

  @Override
  public RpcChannel createRpcChannel(ServerName server, User user, int timeout) {
    RpcChannel channel = super.createRpcChannel(server, user, timeout);
    return (method, controller, request, response, done) -> {
      counts.count(method, request);
      channel.callMethod(
          method,
          controller,
          request,
          response,
          answer -> {
            counts.answered(request, answer);
            done.run(answer);
          });
    };
  }
}
