/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.coprocessor.CheckedChannel;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.route.Generation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.BlockingFacades;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.coprocessor.Batch;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.jspecify.annotations.Nullable;

/**
 * A table behind HBase's blocking interface, by logical keys, where HBase has that as a façade over
 * the asynchronous interface: since 3.0. Most calls are HBase's façade over the asynchronous table
 * of logical keys. Those for which it asks its connection, which knows stored rows only, are made
 * here. Thread-safe.
 *
 * @see LogicalTable
 */
public final class BlockingTable implements InvocationHandler {
  private final Table facade;
  private final LogicalAsyncTable<?> table;
  private final GenerationTables generations;

  private BlockingTable(Table facade, LogicalAsyncTable<?> table, GenerationTables generations) {
    this.facade = facade;
    this.table = table;
    this.generations = generations;
  }

  /**
   * A table.
   *
   * @param own makes HBase's façade over an asynchronous table
   * @param generations HBase's own blocking tables of the generations
   */
  public static Table of(
      BlockingFacades own, LogicalAsyncTable<?> table, GenerationTables generations) {
    return (Table)
        Proxy.newProxyInstance(
            Table.class.getClassLoader(),
            new Class<?>[] {Table.class},
            new BlockingTable(own.table(generations.async(own), table), table, generations));
  }

  @Override
  @SuppressWarnings("unchecked") // the arguments of the method of that name
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] given)
      throws Throwable {
    Object[] arguments = given == null ? new Object[0] : given;
    return switch (method.getName()) {
      case "getDescriptor" -> Futures.get(table.getDescriptor());
      case "getRegionLocator" ->
          LogicalRegionLocator.of(
              table.route(),
              generation -> generations.open(generation).getRegionLocator(),
              table.getConfiguration());
      case "batch" -> batch((List<? extends Row>) arguments[0], (Object[]) arguments[1], null);
      case "batchCallback" ->
          batch(
              (List<? extends Row>) arguments[0],
              (Object[]) arguments[1],
              (Batch.Callback<Object>) arguments[2]);
      case "coprocessorService" ->
          arguments.length == 1
              ? coprocessor((byte[]) arguments[0])
              : coprocessor(method, arguments);
      case "batchCoprocessorService" -> coprocessor(method, arguments);
      default -> call(method, facade, arguments);
    };
  }

  private static @Nullable Object call(Method method, Table on, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(on, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }

  // HBase lets callers who want no results give no room for them.
  private @Nullable Object batch(
      List<? extends Row> actions,
      Object @Nullable [] wanted,
      Batch.@Nullable Callback<Object> callback)
      throws IOException {
    Object[] results = wanted == null ? new Object[actions.size()] : wanted;
    Arrays.fill(results, null);
    LaterBatch.run(table, actions, results, IntStream.range(0, results.length).toArray(), callback);
    return null;
  }

  // HBase throws nothing where it only builds something.
  private CoprocessorRpcChannel coprocessor(byte[] row) {
    try {
      Generation generation = table.route().now();
      table.checkCoprocessor(generation, true);
      table.route().checkRowBytes(generation);
      Table stored = generations.open(generation);
      return generation.rows().isPlain() || row == null
          ? stored.coprocessorService(row)
          : CheckedChannel.of(stored.coprocessorService(generation.rows().physical(row)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A call on all regions, with the service or the method and the request, then two keys. */
  private @Nullable Object coprocessor(Method method, Object[] arguments) throws Throwable {
    boolean byService = arguments[0] instanceof Class<?>;
    int start = byService ? 1 : 2;
    Generation generation = table.route().now();
    table.checkCoprocessor(
        generation, isEmpty((byte[]) arguments[start]) && isEmpty((byte[]) arguments[start + 1]));
    Object[] checked = arguments.clone();
    if (!generation.rows().isPlain() && byService && arguments[start + 2] != null) {
      checked[start + 2] =
          checked((Class<?>) arguments[0], (Batch.Call<?, ?>) arguments[start + 2]);
    } else if (!generation.rows().isPlain() && !byService && arguments[1] != null) {
      CheckedChannel.check(arguments[1]);
    }
    return call(method, generations.open(generation), checked);
  }

  @SuppressWarnings("unchecked") // HBase calls it with a stub of the service
  private static <T, R> Batch.Call<T, R> checked(Class<?> service, Batch.Call<T, R> callable) {
    return stub -> callable.call(CheckedChannel.of((Class<T>) service, stub));
  }

  private static boolean isEmpty(byte @Nullable [] key) {
    return key == null || key.length == 0;
  }
}
