/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.tck;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.jobs.index.IndexAddition;
import io.evenkey.jobs.index.IndexListener;
import io.evenkey.layout.index.TableIndex;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Gives each table that a test of HBase's creates an index of mutable rows, where {@code
 * -Dtck.index=true} asks for that. The index is of a column that the tests do not write, so they
 * must not notice it.
 */
public final class IndexedTables {
  private static final String NAME = "by_evk";

  private IndexedTables() {}

  /** An Admin whose {@code createTable} gives tables an index; the same one unless that is set. */
  public static Admin created(Admin admin, Configuration configuration) {
    if (!Boolean.getBoolean("tck.index")) {
      return admin;
    }
    return (Admin)
        Proxy.newProxyInstance(
            IndexedTables.class.getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, method, arguments) -> {
              Object result;
              try {
                result = method.invoke(admin, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              if (method.getName().equals("createTable")) {
                add((TableDescriptor) arguments[0], configuration);
              }
              return result;
            });
  }

  private static void add(TableDescriptor created, Configuration configuration)
      throws IOException {
    Configuration plainly = new Configuration(configuration);
    plainly.unset(EvenkeyConnection.SETTING);
    plainly.unset(EvenkeyAsyncConnection.SETTING);
    TableName table = created.getTableName();
    String family = created.getColumnFamilies()[0].getNameAsString();
    TableIndex index =
        TableIndex.parse(
            NAME + " mutable joining as \"salt(2) + evk:string\" from evk=" + family + ":evk");
    try (Connection plain = ConnectionFactory.createConnection(plainly);
        Admin admin = plain.getAdmin();
        Registry registry = Registry.open(plainly)) {
      if (TableLayout.of(admin.getDescriptor(table)) != null) {
        new IndexAddition(table, index, 1, 0).run(plain, registry, IndexListener.NONE);
      }
    }
  }
}
