/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.coprocessor;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.HBaseLine;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.jspecify.annotations.Nullable;

/**
 * Channels to the coprocessors of a spread table, through which no message goes that names rows.
 * Channels, services and messages are those of the protobuf by which HBase's line calls endpoints:
 * HBase's own since 3.0, {@code com.google.protobuf} before. Stateless.
 *
 * @see MessageRows
 */
public final class CheckedChannel {
  /** The place of the request among the arguments of a channel's calls. */
  private static final int REQUEST = 2;

  /** The place of the callback. */
  private static final int DONE = 4;

  private CheckedChannel() {}

  /** Limits the stubs that a function makes to messages without rows. */
  public static <C, S> Function<C, S> before(Function<C, S> stubMaker) {
    return channel -> stubMaker.apply(of(channel));
  }

  /**
   * Limits a channel to messages without rows.
   *
   * @param channel a channel of HBase's
   */
  @SuppressWarnings("unchecked") // of the interface by which channels are used
  public static <C> C of(C channel) {
    Class<?> type =
        channel instanceof CoprocessorRpcChannel
            ? CoprocessorRpcChannel.class
            : HBaseLine.present().rpcChannel();
    return (C) proxy(type, (method, arguments) -> invoke(method, channel, arguments));
  }

  /**
   * Limits a service to messages without rows.
   *
   * @param service a stub of HBase's
   * @throws IOException if the service has no stub, so that HBase could not have made one either
   */
  public static <T> T of(Class<T> type, T service) throws IOException {
    Class<?> channel = HBaseLine.present().rpcChannel();
    try {
      Method call =
          Arrays.stream(type.getMethods())
              .filter(method -> method.getName().equals("callMethod"))
              .findFirst()
              .orElseThrow(() -> new NoSuchMethodException(type.getName() + ".callMethod"));
      Object checked =
          proxy(
              channel,
              (method, arguments) ->
                  isCall(method)
                      ? invoke(
                          call,
                          service,
                          arguments[0],
                          arguments[1],
                          arguments[REQUEST],
                          arguments[DONE])
                      : invoke(method, service, arguments));
      return type.cast(type.getMethod("newStub", channel).invoke(null, checked));
    } catch (ReflectiveOperationException e) {
      throw new IOException("coprocessor's service has no stub: " + type.getName(), e);
    }
  }

  /**
   * Lets a message pass.
   *
   * @throws UnsupportedOperationException if it names rows
   */
  public static void check(Object request) {
    MessageRows.check(request);
  }

  /** A call of a channel. */
  @FunctionalInterface
  private interface Call {
    @Nullable Object make(Method method, Object[] arguments) throws Throwable;
  }

  private static Object proxy(Class<?> type, Call call) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, given) -> {
          Object[] arguments = given == null ? new Object[0] : given;
          if (isCall(method)) {
            MessageRows.check(arguments[REQUEST]);
          }
          return call.make(method, arguments);
        });
  }

  private static boolean isCall(Method method) {
    return method.getName().startsWith("call");
  }

  private static @Nullable Object invoke(Method method, Object on, Object... arguments)
      throws Throwable {
    try {
      return method.invoke(on, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
