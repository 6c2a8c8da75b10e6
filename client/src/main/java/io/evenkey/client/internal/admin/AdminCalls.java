/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.admin;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.catalog.Catalog;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.client.plan.NewTable;
import io.evenkey.protocol.guard.DescribedIndexes;
import io.evenkey.protocol.guard.GuardState;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ForwardingAdmin;
import org.apache.hadoop.hbase.client.HBaseLine;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The calls of an {@link org.apache.hadoop.hbase.client.Admin} or {@link
 * org.apache.hadoop.hbase.client.AsyncAdmin}: HBase's own, but that new tables are made as planned,
 * or get the default layout; that changed ones keep theirs; that what is known of layouts is
 * forgotten whenever tables change; and that a table that is migrated is not changed, since only
 * one of its generations would be. {@link AdminRule} has the rule of each method. Thread-safe.
 */
public final class AdminCalls implements InvocationHandler {
  // Apart, since HBase 3.0 has no such class.
  private static final class Forwarded {
    /**
     * Whether HBase's own class can be used, to which some of its tools cast every admin: a later
     * HBase may have calls that change tables and that are not forwarded there.
     */
    static final boolean ALL =
        Arrays.stream(Admin.class.getMethods())
            .filter(AdminCalls::mayChangeTables)
            .allMatch(ForwardingAdmin::forwards);
  }

  private final Class<?> type;
  private final Object admin;
  private final @Nullable Connection connection;
  private final Configuration configuration;
  private final Catalog layouts;
  private final NamedTables named;

  private AdminCalls(
      Class<?> type,
      Object admin,
      @Nullable Connection connection,
      Configuration configuration,
      Catalog layouts) {
    this.type = type;
    this.admin = admin;
    this.connection = connection;
    this.configuration = configuration;
    this.layouts = layouts;
    this.named = new NamedTables(admin);
  }

  /**
   * The admin of a connection.
   *
   * @param plain HBase's own connection, to which rows are what is stored
   */
  public static Admin of(
      Connection connection, Connection plain, Configuration configuration, Catalog layouts)
      throws IOException {
    Admin calls =
        proxy(
            Admin.class,
            new AdminCalls(Admin.class, plain.getAdmin(), connection, configuration, layouts));
    return HBaseLine.present().facades() == null && Forwarded.ALL
        ? ForwardingAdmin.of(plain, connection, calls)
        : calls;
  }

  static boolean mayChangeTables(Method method) {
    AdminRule rule = AdminRule.of(method.getName());
    return rule == null
        ? Arrays.stream(method.getParameterTypes()).anyMatch(AdminCalls::isTable)
        : rule.forgets();
  }

  // HBase rejects it, at once or later.
  private static boolean lacksTable(Method method, Object @Nullable [] arguments) {
    Class<?>[] types = method.getParameterTypes();
    for (int i = 0; arguments != null && i < types.length; i++) {
      if (arguments[i] == null && isTable(types[i])) {
        return true;
      }
    }
    return false;
  }

  private static boolean isTable(Class<?> type) {
    return type == TableName.class || TableDescriptor.class.isAssignableFrom(type);
  }

  /** HBase's interface of that type, on its own object of that type. */
  public static <T> T to(Class<T> type, T admin, Configuration configuration, Catalog layouts) {
    return proxy(type, new AdminCalls(type, admin, null, configuration, layouts));
  }

  private static <T> T proxy(Class<T> type, AdminCalls calls) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (connection != null && method.getName().equals("getConnection")) {
      return connection;
    }
    AdminRule rule = ruleOf(method, arguments);
    if (rule == null || !rule.forgets() || lacksTable(method, arguments)) {
      return call(method, arguments);
    }
    if (!rule.isRefusedWhileMigrated()) {
      return after(call(method, arguments), () -> {});
    }
    CompletableFuture<Void> allowed =
        Futures.chain(named.of(method.getName(), arguments), layouts::refuseMigrated);
    if (!isLater(method)) {
      Futures.get(allowed);
      return change(rule, method, arguments);
    }
    return Futures.chain(allowed, nothing -> later(() -> change(rule, method, arguments)));
  }

  // A method of a later HBase that names a table may change it.
  private static @Nullable AdminRule ruleOf(Method method, Object @Nullable [] arguments) {
    AdminRule rule = AdminRule.of(method.getName());
    boolean namesTable =
        arguments != null
            && Arrays.stream(arguments)
                .anyMatch(one -> one instanceof TableName || one instanceof TableDescriptor);
    return rule == null && namesTable ? AdminRule.CHANGES : rule;
  }

  private static boolean isLater(Method method) {
    return CompletableFuture.class.isAssignableFrom(method.getReturnType());
  }

  private @Nullable Object change(AdminRule rule, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (rule == AdminRule.CREATES && arguments != null) {
      return createTable(method.getName(), (TableDescriptor) arguments[0], arguments);
    } else if (rule == AdminRule.MODIFIES && arguments != null) {
      int at = arguments[0] instanceof TableDescriptor ? 0 : 1;
      return modifyTable(method, at, arguments);
    }
    Object result = call(method, arguments);
    TableName gone = replaced(method.getName(), arguments);
    return after(
        result,
        () -> {
          if (gone != null) {
            layouts.deleted(gone);
          }
        });
  }

  // What was recorded of a table that is deleted, or takes the place of one that was, holds no
  // more.
  private static @Nullable TableName replaced(String method, Object @Nullable [] arguments) {
    if (arguments == null) {
      return null;
    }
    if (method.startsWith("deleteTable") && arguments[0] instanceof TableName table) {
      return table;
    }
    return method.startsWith("clone")
            && arguments.length > 1
            && arguments[1] instanceof TableName table
        ? table
        : null;
  }

  private @Nullable Object createTable(String method, TableDescriptor table, Object[] arguments)
      throws Throwable {
    List<byte[]> splits =
        arguments.length == 4
            ? NewTable.between((byte[]) arguments[1], (byte[]) arguments[2], (int) arguments[3])
            : splits(arguments);
    NewTable planned =
        NewTable.of(configuration, layouts.planFor(table.getTableName()), table, splits);
    Object result =
        planned.splits().isEmpty()
            ? call(type.getMethod(method, TableDescriptor.class), planned.descriptor())
            : call(
                type.getMethod(method, TableDescriptor.class, byte[][].class),
                planned.descriptor(),
                planned.splits().toArray(new byte[0][]));
    return after(result, () -> layouts.created(planned.descriptor()));
  }

  private static List<byte[]> splits(Object[] arguments) {
    boolean given = arguments.length == 2 && arguments[1] != null;
    return given ? List.of((byte[][]) arguments[1]) : List.of();
  }

  // An application that knows nothing of layouts builds descriptors without one.
  private @Nullable Object modifyTable(Method method, int at, Object[] arguments) throws Throwable {
    TableDescriptor table = (TableDescriptor) arguments[at];
    CompletableFuture<TableDescriptor> now = layouts.descriptor(table.getTableName());
    if (!isLater(method)) {
      arguments[at] = keepingLayout(Futures.get(now), table);
      return after(call(method, arguments), () -> {});
    }
    return Futures.chain(
        now,
        existing -> {
          arguments[at] = keepingLayout(existing, table);
          return later(() -> after(call(method, arguments), () -> {}));
        });
  }

  private static TableDescriptor keepingLayout(TableDescriptor now, TableDescriptor wanted)
      throws IOException {
    String layout = now.getValue(TableLayout.LAYOUT);
    String other = wanted.getValue(TableLayout.LAYOUT);
    if (layout == null ? other == null : layout.equals(other)) {
      return keepingIndexes(
          now, keeping(now, wanted, key -> key.startsWith(GuardState.DESCRIPTOR_KEY)));
    }
    if (layout != null && other == null) {
      return keeping(now, wanted, key -> key.startsWith(TableLayout.OWN));
    }
    throw new TableLayoutException(
        now.getTableName(),
        "layout of an existing table cannot be changed by modifying the table",
        "now=" + (layout == null ? "none" : layout) + " wanted=" + other,
        "its rows would stay as they are: " + Remedy.RECORD_LAYOUT);
  }

  // One that is built with a layout, but without indexes, has the format of a table without.
  private static TableDescriptor keepingIndexes(TableDescriptor now, TableDescriptor wanted) {
    String indexes = now.getValue(DescribedIndexes.DESCRIPTOR_KEY);
    return indexes == null || wanted.getValue(DescribedIndexes.DESCRIPTOR_KEY) != null
        ? wanted
        : TableDescriptorBuilder.newBuilder(wanted)
            .setValue(DescribedIndexes.DESCRIPTOR_KEY, indexes)
            .setValue(TableLayout.FORMAT, now.getValue(TableLayout.FORMAT))
            .build();
  }

  private static TableDescriptor keeping(
      TableDescriptor now, TableDescriptor wanted, Predicate<String> kept) {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(wanted);
    now.getValues()
        .forEach(
            (name, value) -> {
              String key = Bytes.toString(name.get(), name.getOffset(), name.getLength());
              if (kept.test(key) && wanted.getValue(key) == null) {
                table.setValue(key, Bytes.toString(value.copyBytes()));
              }
            });
    return table.build();
  }

  private @Nullable Object after(@Nullable Object result, Runnable done) {
    layouts.forget();
    if (!(result instanceof CompletableFuture<?> later)) {
      done.run();
      return result;
    }
    // The caller finds its consequences done: they are part of the call.
    return Futures.map(
        later,
        value -> {
          done.run();
          layouts.forget();
          return value;
        });
  }

  /** A call of the asynchronous interface. */
  @FunctionalInterface
  private interface Call {
    @Nullable Object make() throws Throwable;
  }

  @SuppressWarnings("unchecked") // whatever the method answers, its caller knows the type
  private static CompletableFuture<Object> later(Call call) {
    try {
      return (CompletableFuture<Object>) Objects.requireNonNull(call.make());
    } catch (Throwable e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private @Nullable Object call(Method method, Object @Nullable ... arguments) throws Throwable {
    try {
      return method.invoke(admin, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
