/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.compatibility;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** An application that is loaded without the libraries for which it has no use. */
public final class FewLibraries implements Callable<String> {
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] Q = Bytes.toBytes("q");

  private final TableName name;

  /** The argument is the name of its table. */
  public FewLibraries(String table) {
    this.name = TableName.valueOf(table);
  }

  @Override
  public String call() throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("evenkey.registry", "off");
    configuration.set("hbase.client.connection.impl", "io.evenkey.client.EvenkeyConnection");
    configuration.set(
        "hbase.client.async.connection.impl", "io.evenkey.client.EvenkeyAsyncConnection");
    configuration.set("evenkey.layout.default", "salt(4) + id:string");
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(name);
        AsyncConnection async =
            ConnectionFactory.createAsyncConnection(configuration).get(20, TimeUnit.SECONDS)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
      table.put(new Put(Bytes.toBytes("a")).addColumn(FAMILY, Q, Q));
      AsyncTable<?> later = async.getTable(name);
      later.put(new Put(Bytes.toBytes("b")).addColumn(FAMILY, Q, Q)).get(20, TimeUnit.SECONDS);
      Result found = later.get(new Get(Bytes.toBytes("a"))).get(20, TimeUnit.SECONDS);
      Expected.equal("get", "a", Bytes.toString(found.getRow()));
      StringBuilder rows = new StringBuilder();
      try (ResultScanner scanned = table.getScanner(new Scan())) {
        for (Result row : scanned) {
          rows.append(Bytes.toString(row.getRow()));
        }
      }
      Expected.equal("scan", "ab", rows.toString());
    }
    wantsLibraries(configuration);
    return "done";
  }

  /** What cannot work without a library says which. */
  private static void wantsLibraries(Configuration configuration) throws IOException {
    Configuration registered = new Configuration(configuration);
    registered.set("evenkey.registry", "required");
    try (Connection connection = ConnectionFactory.createConnection(registered);
        Table table = connection.getTable(TableName.valueOf("any"))) {
      table.get(new Get(Bytes.toBytes("a")));
      throw new IllegalStateException("read without the registry");
    } catch (IOException e) {
      names("curator-recipes", e);
    }
  }

  private static void names(String library, Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (String.valueOf(cause.getMessage()).contains(library)) {
        return;
      }
    }
    throw new IllegalStateException("not named: library=" + library, failure);
  }
}
