/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a process that dies when it has changed the descriptors of tables a given
 * number of times: before any region learns of the last change. Not thread-safe.
 */
final class MortalConnection {
  private static final Set<String> CHANGES = Set.of("modifyTable", "modifyTableAsync");

  private final Connection connection;
  private final Connection mortal;
  private int left = Integer.MAX_VALUE;
  private @Nullable TableName changed;

  MortalConnection(Connection connection) {
    this.connection = connection;
    this.mortal = mortal(Connection.class, connection);
  }

  Connection connection() {
    return mortal;
  }

  /**
   * From now on the process has so many changes to live.
   *
   * @param changes 0 or more
   */
  void diesAfter(int changes) {
    left = changes;
  }

  /** The table whose descriptor was changed last. */
  TableName changed() {
    if (changed == null) {
      throw new IllegalStateException("no descriptor was changed: connection=" + connection);
    }
    return changed;
  }

  private <T> T mortal(Class<T> type, T real) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              live();
              Object result;
              try {
                result = method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              if (CHANGES.contains(method.getName())) {
                if (result instanceof Future<?> change) {
                  change.get();
                }
                changed = ((TableDescriptor) arguments[0]).getTableName();
                left--;
                live();
              }
              return result instanceof Admin admin ? mortal(Admin.class, admin) : result;
            }));
  }

  private void live() {
    if (left <= 0) {
      throw new Killed();
    }
  }
}
