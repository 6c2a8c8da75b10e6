package io.evenkey.client.table;

import io.evenkey.client.move.AsyncWrites;
import io.evenkey.client.move.LiveTable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.ScanResultConsumerBase;
import org.apache.hadoop.hbase.filter.Filter;
import org.jspecify.annotations.Nullable;

/**
 * A table behind HBase's asynchronous interface that stays the same to applications whichever
 * generation it is. Thread-safe.
 *
 * @param <C> what observes the scans of this table
 */
@SuppressWarnings("deprecation") // what HBase still has in the interface
public final class FollowedAsyncTable<C extends ScanResultConsumerBase>
    implements InvocationHandler {
  private static final Set<String> WRITES =
      Set.of("put", "delete", "append", "increment", "mutateRow", "checkAndMutate", "batch");

  private static final Set<String> WITHOUT_RESULT = Set.of("put", "delete");

  /** What the application has set is the same for all generations. */
  private static final Set<String> OF_ITSELF = Set.of("getName", "getConfiguration");

  private final AsyncTable<C> own;
  private final Supplier<CompletableFuture<LiveTable>> late;
  private final Function<TableName, AsyncTable<C>> generations;
  private final AsyncWrites writes;

  private FollowedAsyncTable(
      AsyncTable<C> own,
      Supplier<CompletableFuture<LiveTable>> late,
      Function<TableName, AsyncTable<C>> generations,
      AsyncWrites writes) {
    this.own = own;
    this.late = late;
    this.generations = generations;
    this.writes = writes;
  }

  /**
   * A table.
   *
   * @param own as the application has opened it, by logical keys
   * @param generations other generations, by logical keys
   */
  @SuppressWarnings("unchecked") // the interface without its parameter
  public static <C extends ScanResultConsumerBase> AsyncTable<C> of(
      AsyncTable<C> own,
      Supplier<CompletableFuture<LiveTable>> late,
      Function<TableName, AsyncTable<C>> generations,
      AsyncWrites writes) {
    return (AsyncTable<C>)
        Proxy.newProxyInstance(
            AsyncTable.class.getClassLoader(),
            new Class<?>[] {AsyncTable.class},
            new FollowedAsyncTable<>(own, late, generations, writes));
  }

  private AsyncTable<C> generation(TableName name) {
    return name.equals(own.getName()) ? own : generations.apply(name);
  }

  @Override
  @SuppressWarnings({"unchecked", "deprecation"}) // this is behind that interface
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (method.getReturnType() == AsyncTable.CheckAndMutateBuilder.class && arguments != null) {
      return new AsyncCheckBuilders.OfColumn(
          (AsyncTable<C>) proxy, (byte[]) arguments[0], (byte[]) arguments[1]);
    } else if (method.getReturnType() == AsyncTable.CheckAndMutateWithFilterBuilder.class
        && arguments != null) {
      return new AsyncCheckBuilders.OfFilter(
          (AsyncTable<C>) proxy, (byte[]) arguments[0], (Filter) arguments[1]);
    } else if (OF_ITSELF.contains(method.getName())) {
      return call(own, method, arguments);
    }
    CompletableFuture<LiveTable> live = late.get();
    boolean known = live.isDone() && !live.isCompletedExceptionally();
    if (!WRITES.contains(method.getName()) || arguments == null) {
      // While the table is not known, it waits by itself.
      return call(known ? generation(live.join().reading()) : own, method, arguments);
    }
    if (!known) {
      check(arguments[0]);
    }
    if (arguments[0] instanceof List<?> actions) {
      return known
          ? several(live.join(), method, actions)
          : Futures.each(
              actions.size(),
              Futures.chain(
                  live,
                  table -> CompletableFuture.completedFuture(several(table, method, actions))));
    }
    return known
        ? one(live.join(), method, arguments[0])
        : Futures.chain(live, table -> one(table, method, arguments[0]));
  }

  // What HBase throws at once, is thrown at once.
  private void check(Object written) {
    List<?> actions = written instanceof List<?> list ? list : List.of(written);
    int most = PutCheck.mostBytes(own.getConfiguration());
    for (Object action : actions) {
      PutCheck.check((Row) action, most);
    }
  }

  @SuppressWarnings("unchecked") // what the method returns
  private CompletableFuture<Object> one(LiveTable live, Method method, Object action)
      throws Exception {
    return writes.one(
        live,
        (Row) action,
        view ->
            (CompletableFuture<Object>)
                call(generation(view.primary()), method, new Object[] {action}),
        result -> value(method, result));
  }

  @SuppressWarnings("unchecked") // what the method returns
  private List<CompletableFuture<Object>> several(LiveTable live, Method method, List<?> actions) {
    return writes.several(
        live,
        (List<Row>) actions,
        view ->
            (List<CompletableFuture<Object>>)
                call(generation(view.primary()), method, new Object[] {actions}),
        result -> value(method, result));
  }

  private static @Nullable Object value(Method method, @Nullable Object result) {
    if (WITHOUT_RESULT.contains(method.getName())) {
      return null;
    }
    return result == null ? Result.EMPTY_RESULT : result;
  }

  private static Object call(Object table, Method method, Object @Nullable [] arguments)
      throws Exception {
    try {
      return method.invoke(table, arguments);
    } catch (InvocationTargetException e) {
      if (e.getTargetException() instanceof Exception exception) {
        throw exception;
      }
      throw e;
    }
  }

  @Override
  public String toString() {
    return own.toString();
  }
}
