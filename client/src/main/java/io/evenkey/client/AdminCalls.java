package io.evenkey.client;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.jspecify.annotations.Nullable;

/**
 * The calls of an {@link org.apache.hadoop.hbase.client.Admin} or {@link
 * org.apache.hadoop.hbase.client.AsyncAdmin}: HBase's own, but that new tables get the default
 * layout, and that what is known of layouts is forgotten whenever tables change. Thread-safe.
 */
final class AdminCalls implements InvocationHandler {
  private static final Pattern CHANGES_TABLES =
      Pattern.compile("create|delete|modify|restore|clone|truncate|enable|disable");

  private final Class<?> type;
  private final Object admin;
  private final Configuration configuration;
  private final KnownLayouts layouts;

  private AdminCalls(
      Class<?> type, Object admin, Configuration configuration, KnownLayouts layouts) {
    this.type = type;
    this.admin = admin;
    this.configuration = configuration;
    this.layouts = layouts;
  }

  /** HBase's interface of that type, on its own object of that type. */
  static <T> T to(Class<T> type, T admin, Configuration configuration, KnownLayouts layouts) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            new AdminCalls(type, admin, configuration, layouts)));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    Object result =
        method.getName().startsWith("createTable")
                && arguments != null
                && arguments[0] instanceof TableDescriptor
            ? createTable(method.getName(), arguments)
            : call(method, arguments);
    if (CHANGES_TABLES.matcher(method.getName()).lookingAt()) {
      layouts.forget();
      if (result instanceof CompletableFuture<?> later) {
        FutureUtils.addListener(later, (value, error) -> layouts.forget());
      }
    }
    return result;
  }

  private @Nullable Object createTable(String method, Object[] arguments) throws Throwable {
    TableDescriptor descriptor = (TableDescriptor) arguments[0];
    NewTable table =
        arguments.length == 4
            ? NewTable.of(
                configuration,
                descriptor,
                (byte[]) arguments[1],
                (byte[]) arguments[2],
                (int) arguments[3])
            : NewTable.of(configuration, descriptor, splits(arguments));
    return table.splits().isEmpty()
        ? call(type.getMethod(method, TableDescriptor.class), table.descriptor())
        : call(
            type.getMethod(method, TableDescriptor.class, byte[][].class),
            table.descriptor(),
            table.splits().toArray(new byte[0][]));
  }

  private static List<byte[]> splits(Object[] arguments) {
    boolean given = arguments.length == 2 && arguments[1] != null;
    return given ? List.of((byte[][]) arguments[1]) : List.of();
  }

  private @Nullable Object call(Method method, Object @Nullable ... arguments) throws Throwable {
    try {
      return method.invoke(admin, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
