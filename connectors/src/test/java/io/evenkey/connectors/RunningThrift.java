/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.connectors;

import static org.awaitility.Awaitility.await;

import io.evenkey.embedded.EmbeddedHBase;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.thrift.ThriftServer;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;

/** A Thrift server with Evenkey's connections, and a client's transport to it. */
final class RunningThrift implements AutoCloseable {
  private final ThriftServer server;
  private final Thread serving;
  private final TTransport transport;

  private RunningThrift(ThriftServer server, Thread serving, TTransport transport) {
    this.server = server;
    this.serving = serving;
    this.transport = transport;
  }

  /** Starts it: HBase's first Thrift interface or its second. */
  static RunningThrift start(EmbeddedHBase hbase, Function<Configuration, ThriftServer> kind)
      throws Exception {
    int port = freePort();
    Configuration settings = SpreadRows.settings(hbase);
    settings.set("hbase.regionserver.thrift.ipaddress", "127.0.0.1");
    settings.setInt("hbase.regionserver.thrift.port", port);
    settings.setInt("hbase.thrift.info.port", -1);
    ThriftServer server = kind.apply(settings);
    Thread serving =
        new Thread(
            () -> {
              try {
                server.run(new String[] {"-b", "127.0.0.1", "-p", Integer.toString(port)});
              } catch (Exception e) {
                throw new IllegalStateException("the Thrift server has failed", e);
              }
            },
            "thrift");
    serving.start();
    TTransport transport = new TSocket("127.0.0.1", port);
    await()
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptionsInstanceOf(TTransportException.class)
        .until(
            () -> {
              if (!serving.isAlive()) {
                throw new IllegalStateException("the Thrift server has ended");
              }
              transport.open();
              return transport.isOpen();
            });
    return new RunningThrift(server, serving, transport);
  }

  // The servers' settings take no port 0.
  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  TProtocol protocol() {
    return new TBinaryProtocol(transport);
  }

  @Override
  public void close() {
    transport.close();
    server.stop();
    try {
      serving.join(Duration.ofMinutes(1).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
