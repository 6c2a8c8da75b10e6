/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import java.io.IOException;
import java.lang.reflect.Proxy;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsRequestProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * Answers HDFS's own client over Hadoop's RPC like an empty NameNode in safe mode, which refuses
 * new files. The real NameNode needs another Jetty than the portal.
 */
final class NameNodeInSafeMode implements AutoCloseable {
  private final RPC.Server server;

  private NameNodeInSafeMode() throws IOException {
    Configuration settings = new Configuration();
    RPC.setProtocolEngine(settings, ClientNamenodeProtocolPB.class, ProtobufRpcEngine2.class);
    ClientNamenodeProtocol.BlockingInterface answers =
        (ClientNamenodeProtocol.BlockingInterface)
            Proxy.newProxyInstance(
                NameNodeInSafeMode.class.getClassLoader(),
                new Class<?>[] {ClientNamenodeProtocol.BlockingInterface.class},
                (self, method, arguments) -> answer(method.getName(), arguments));
    server =
        new RPC.Builder(settings)
            .setProtocol(ClientNamenodeProtocolPB.class)
            .setInstance(ClientNamenodeProtocol.newReflectiveBlockingService(answers))
            .setBindAddress("127.0.0.1")
            .setPort(0)
            .setNumHandlers(1)
            .build();
  }

  static NameNodeInSafeMode start() throws IOException {
    NameNodeInSafeMode started = new NameNodeInSafeMode();
    started.server.start();
    return started;
  }

  private static Object answer(String method, Object[] arguments) throws ServiceException {
    if (method.equals("getFileInfo")) {
      return GetFileInfoResponseProto.getDefaultInstance();
    }
    String path = "";
    if (arguments[1] instanceof CreateRequestProto request) {
      path = request.getSrc();
    } else if (arguments[1] instanceof DeleteRequestProto request) {
      path = request.getSrc();
    } else if (arguments[1] instanceof MkdirsRequestProto request) {
      path = request.getSrc();
    }
    throw new ServiceException(
        new SafeModeException("Cannot " + method + " " + path + ". Name node is in safe mode."));
  }

  String uri() {
    return "hdfs://127.0.0.1:" + server.getListenerAddress().getPort();
  }

  @Override
  public void close() {
    server.stop();
  }
}
