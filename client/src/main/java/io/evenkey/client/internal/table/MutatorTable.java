/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.Route;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.ScanResultConsumerBase;
import org.jspecify.annotations.Nullable;

/**
 * The table to which HBase's asynchronous buffered mutator writes its batches. They are made in
 * their order, also while the layout is not known yet. A mutation that cannot be stored fails by
 * itself: HBase would lose what it has buffered with it. Thread-safe.
 */
public final class MutatorTable implements InvocationHandler {
  private final LogicalAsyncTable<?> table;
  private final Route route;
  private final CallsInOrder calls = new CallsInOrder();

  private MutatorTable(LogicalAsyncTable<?> table) {
    this.table = table;
    this.route = table.route();
  }

  /** A table as a mutator needs it; one of HBase's own is left as it is. */
  @SuppressWarnings("unchecked") // the type without its parameter
  public static <C extends ScanResultConsumerBase> AsyncTable<C> of(AsyncTable<C> table) {
    return table instanceof LogicalAsyncTable<C> logical
        ? (AsyncTable<C>)
            Proxy.newProxyInstance(
                AsyncTable.class.getClassLoader(),
                new Class<?>[] {AsyncTable.class},
                new MutatorTable(logical.ofBuffer()))
        : table;
  }

  @Override
  @SuppressWarnings("unchecked") // the argument of batch
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (method.getName().equals("batch") && arguments != null) {
      return batch((List<? extends Row>) arguments[0]);
    }
    try {
      return method.invoke(table, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }

  private synchronized List<CompletableFuture<Object>> batch(List<? extends Row> actions) {
    CompletableFuture<Generation> found = route.find();
    if (calls.isIdle() && found.isDone() && !found.isCompletedExceptionally()) {
      return begin(actions);
    }
    return Futures.each(
        actions.size(), calls.add(() -> Futures.map(route.find(), known -> begin(actions))));
  }

  private List<CompletableFuture<Object>> begin(List<? extends Row> actions) {
    return batch(table, actions);
  }

  /** Makes actions; one that HBase rejects at once fails by itself. */
  static List<CompletableFuture<Object>> batch(
      LogicalAsyncTable<?> table, List<? extends Row> actions) {
    try {
      return table.batch(actions);
    } catch (RuntimeException e) {
      return actions.size() == 1
          ? List.of(CompletableFuture.failedFuture(e))
          : actions.stream().map(action -> batch(table, List.of(action)).get(0)).toList();
    }
  }
}
