/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hbase.client;

import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.trace.TableOperationSpanBuilder;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.RpcChannel;
import org.jspecify.annotations.Nullable;

/**
 * HBase 3.0: the blocking client is a façade over the asynchronous one. What the release that the
 * client is compiled against lacks is found by name.
 */
final class Line30 extends HBaseLine implements BlockingFacades {
  private static final MethodHandles.Lookup HERE = MethodHandles.lookup();
  private static final MethodHandle ASYNC_CONNECTION =
      constructor(
          AsyncConnectionImpl.class,
          Configuration.class,
          ConnectionRegistry.class,
          String.class,
          SocketAddress.class,
          User.class,
          Map.class);
  private static final MethodHandle TO_CONNECTION =
      method(AsyncConnection.class, "toConnection", Connection.class);
  private static final MethodHandle TO_ASYNC_CONNECTION =
      method(Connection.class, "toAsyncConnection", AsyncConnection.class);
  private static final MethodHandle TABLE =
      constructor(
          named("org.apache.hadoop.hbase.client.TableOverAsyncTable"),
          AsyncConnectionImpl.class,
          AsyncTable.class,
          named("org.apache.hadoop.hbase.util.ConcurrentMapUtils$IOExceptionSupplier"));
  private static final MethodHandle MUTATOR =
      constructor(
          named("org.apache.hadoop.hbase.client.BufferedMutatorOverAsyncBufferedMutator"),
          AsyncBufferedMutator.class,
          BufferedMutator.ExceptionListener.class);

  /** The first releases of 3.0 have no attributes of mutators. */
  private static final @Nullable MethodHandle MUTATOR_ATTRIBUTES =
      later(BufferedMutatorParams.class, "getRequestAttributes", Map.class);

  private static final @Nullable MethodHandle SET_MUTATOR_ATTRIBUTE =
      later(
          BufferedMutatorParams.class,
          "setRequestAttribute",
          BufferedMutatorParams.class,
          String.class,
          byte[].class);

  static HBaseLine line() {
    return new Line30();
  }

  private static Class<?> named(String name) {
    try {
      return HERE.findClass(name);
    } catch (ReflectiveOperationException e) {
      throw absent(name, e);
    }
  }

  private static MethodHandle constructor(Class<?> type, Class<?>... parameters) {
    try {
      return HERE.findConstructor(type, MethodType.methodType(void.class, parameters));
    } catch (ReflectiveOperationException e) {
      throw absent("constructor of " + type.getName(), e);
    }
  }

  private static MethodHandle method(Class<?> type, String name, Class<?> result) {
    try {
      return HERE.findVirtual(type, name, MethodType.methodType(result));
    } catch (ReflectiveOperationException e) {
      throw absent(type.getName() + "." + name, e);
    }
  }

  private static @Nullable MethodHandle later(
      Class<?> type, String name, Class<?> result, Class<?>... parameters) {
    try {
      return HERE.findVirtual(type, name, MethodType.methodType(result, parameters));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  private static LinkageError absent(String what, ReflectiveOperationException e) {
    return new LinkageError(
        "this release of HBase is not supported: missing="
            + what
            + "; use a release that docs/versions.md names",
        e);
  }

  private static Object call(MethodHandle method, @Nullable Object... arguments) {
    try {
      return method.invokeWithArguments(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("HBase's client could not be used: " + method, e);
    }
  }

  @Override
  public AsyncConnection asyncConnection(
      Configuration configuration,
      ConnectionRegistry registry,
      String clusterId,
      @Nullable SocketAddress local,
      User user,
      Map<String, byte[]> attributes) {
    return (AsyncConnection)
        call(ASYNC_CONNECTION, configuration, registry, clusterId, local, user, attributes);
  }

  @Override
  public BlockingFacades facades() {
    return this;
  }

  @Override
  public Connection connection(AsyncConnection own) {
    return (Connection) call(TO_CONNECTION, own);
  }

  @Override
  public AsyncConnection async(Connection own) {
    return (AsyncConnection) call(TO_ASYNC_CONNECTION, own);
  }

  @Override
  public Table table(AsyncConnection own, AsyncTable<?> table) {
    return (Table) call(TABLE, own, table, null);
  }

  @Override
  public BufferedMutator mutator(
      AsyncBufferedMutator mutator, BufferedMutator.@Nullable ExceptionListener listener) {
    return (BufferedMutator) call(MUTATOR, mutator, listener);
  }

  /** Returns the connection unchanged: callers ask a drop-in connection directly. */
  @Override
  public Connection own(Connection connection) {
    return connection;
  }

  @Override
  public CompletableFuture<AsyncConnection> second(
      Connection first, Configuration configuration, User user, Map<String, byte[]> attributes) {
    return CompletableFuture.completedFuture(async(first));
  }

  @Override
  @Nullable Supplier<TableOperationSpanBuilder> spans(Connection connection) {
    return async(connection) instanceof AsyncConnectionImpl own
        ? () -> new TableOperationSpanBuilder(own)
        : null;
  }

  @Override
  public @Nullable ExecutorService threads(Table table) {
    return null;
  }

  @Override
  public Class<?> rpcChannel() {
    return RpcChannel.class;
  }

  // HBase keeps masks as it compares them, and says what they were given as in no other way.
  @Override
  public List<Pair<byte[], byte[]>> fuzzyKeys(FuzzyRowFilter filter) {
    List<Pair<byte[], byte[]>> keys = new ArrayList<>();
    try {
      for (BytesBytesPair key :
          FilterProtos.FuzzyRowFilter.parseFrom(filter.toByteArray()).getFuzzyKeysDataList()) {
        keys.add(new Pair<>(key.getFirst().toByteArray(), mask(key.getSecond().toByteArray())));
      }
    } catch (InvalidProtocolBufferException e) {
      throw new UncheckedIOException(e);
    }
    return keys;
  }

  /** A byte of the key counts where the mask has 0, or -1 when it has been prepared. */
  private static byte[] mask(byte[] prepared) {
    for (int i = 0; i < prepared.length; i++) {
      prepared[i] = (byte) (prepared[i] == 0 || prepared[i] == -1 ? 0 : 1);
    }
    return prepared;
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
    attributes(from).forEach(to::setRequestAttribute);
  }

  @Override
  public void copyAttributes(BufferedMutatorParams from, BufferedMutatorParams to) {
    attributes(from).forEach((name, value) -> call(SET_MUTATOR_ATTRIBUTE, to, name, value));
  }

  @SuppressWarnings("unchecked") // what the method returns
  private static Map<String, byte[]> attributes(BufferedMutatorParams params) {
    return MUTATOR_ATTRIBUTES == null
        ? Map.of()
        : (Map<String, byte[]>) call(MUTATOR_ATTRIBUTES, params);
  }
}
