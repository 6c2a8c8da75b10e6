/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.coprocessor;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcChannel;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import com.google.protobuf.ServiceException;
import java.io.IOException;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.apache.hadoop.hbase.protobuf.ProtobufUtil;

/**
 * Channels to the coprocessors of a spread table, through which no message goes that names rows.
 * Stateless.
 *
 * @see MessageRows
 */
public final class CheckedChannel {
  private CheckedChannel() {}

  /** The same channel, for messages without rows. */
  public static RpcChannel of(RpcChannel channel) {
    return (method, controller, request, response, done) -> {
      MessageRows.check(request);
      channel.callMethod(method, controller, request, response, done);
    };
  }

  /** The same channel, for messages without rows. */
  public static CoprocessorRpcChannel of(CoprocessorRpcChannel channel) {
    return new Checked(channel);
  }

  /**
   * The same service, for messages without rows.
   *
   * @throws IOException if the service has no stub, so that HBase could not have made one either
   */
  public static <T extends Service> T of(Class<T> type, T service) throws IOException {
    RpcChannel checked =
        (method, controller, request, response, done) -> {
          MessageRows.check(request);
          service.callMethod(method, controller, request, done);
        };
    try {
      return ProtobufUtil.newServiceStub(type, checked);
    } catch (Exception e) {
      throw new IOException("no stub to be had of the coprocessor's service: " + type.getName(), e);
    }
  }

  /**
   * Lets a message pass.
   *
   * @throws UnsupportedOperationException if it names rows
   */
  public static void check(Message request) {
    MessageRows.check(request);
  }

  private record Checked(CoprocessorRpcChannel channel) implements CoprocessorRpcChannel {
    @Override
    public void callMethod(
        MethodDescriptor method,
        RpcController controller,
        Message request,
        Message response,
        RpcCallback<Message> done) {
      MessageRows.check(request);
      channel.callMethod(method, controller, request, response, done);
    }

    @Override
    public Message callBlockingMethod(
        MethodDescriptor method, RpcController controller, Message request, Message response)
        throws ServiceException {
      MessageRows.check(request);
      return channel.callBlockingMethod(method, controller, request, response);
    }
  }
}
