/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Users with no right but to read or to write a table: not to see its descriptor, nor to call
 * endpoints.
 */
class RightsIT {
  private static final byte[] D = Bytes.toBytes("d");
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final int ROWS = 20;

  private EmbeddedHBase hbase;
  private TableName name;

  private interface Request<T> {
    void on(T table) throws Exception;
  }

  private Configuration dropIn() {
    Configuration configuration = hbase.configuration();
    configuration.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 2);
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    return configuration;
  }

  private void as(String user, Request<Table> request) throws Exception {
    Configuration configuration = dropIn();
    User.createUserForTesting(configuration, user, new String[0])
        .runAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (Connection connection = ConnectionFactory.createConnection(configuration);
                      Table table = connection.getTable(name)) {
                    request.on(table);
                  }
                  return null;
                });
  }

  private void asynchronouslyAs(String user, Request<AsyncTable<?>> request) throws Exception {
    Configuration configuration = dropIn();
    User.createUserForTesting(configuration, user, new String[0])
        .runAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (AsyncConnection connection =
                      FutureUtils.get(ConnectionFactory.createAsyncConnection(configuration))) {
                    request.on(connection.getTable(name));
                  }
                  return null;
                });
  }

  private void start(boolean guard) throws Throwable {
    hbase = EmbeddedHBase.temporary().servers(1).guard(guard).accessControl(true).start();
    name = TableName.valueOf("rights");
    Layout layout = Layout.parse("salt(4) + key:bytes");
    try (SpreadTables tables = SpreadTables.on(hbase.connection())) {
      SpreadTable table = tables.create(name, layout, layout.splits(4), List.of("d"));
      for (int i = 0; i < ROWS; i++) {
        table.put(new Put(Bytes.toBytes(i)).addColumn(D, D, D));
      }
    }
    grant("reader", Permission.Action.READ);
    grant("writer", Permission.Action.WRITE);
  }

  private void grant(String user, Permission.Action action) throws Throwable {
    AccessControlClient.grant(hbase.connection(), name, user, null, null, action);
  }

  private static Put put() {
    return new Put(ROW).addColumn(D, D, D);
  }

  private static int rows(Table table) throws IOException {
    int rows = 0;
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows++;
      }
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(booleans = true)
  void rightToReadOrToWriteIsEnough(boolean guard) throws Throwable {
    start(guard);
    try {
      readerReads();
      writerWrites();
      outsiderIsDenied();
    } finally {
      hbase.close();
    }
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(booleans = false)
  void rightToReadOrToWriteIsEnoughWithoutTheGuard(boolean guard) throws Throwable {
    rightToReadOrToWriteIsEnough(guard);
  }

  private void readerReads() throws Exception {
    as(
        "reader",
        table -> {
          assertThat(table.get(new Get(Bytes.toBytes(3))).isEmpty()).isFalse();
          assertThat(rows(table)).isEqualTo(ROWS);
          assertThatThrownBy(() -> table.put(put())).isInstanceOf(AccessDeniedException.class);
        });
    asynchronouslyAs(
        "reader",
        table -> {
          assertThat(FutureUtils.get(table.get(new Get(Bytes.toBytes(3)))).isEmpty()).isFalse();
          assertThat(FutureUtils.get(table.scanAll(new Scan()))).hasSize(ROWS);
          assertThatThrownBy(() -> FutureUtils.get(table.put(put())))
              .isInstanceOf(AccessDeniedException.class);
        });
  }

  private void writerWrites() throws Exception {
    as(
        "writer",
        table -> {
          table.put(put());
          table.put(List.of(put(), put()));
          assertThatThrownBy(() -> table.get(new Get(ROW)))
              .isInstanceOf(AccessDeniedException.class);
          assertThatThrownBy(() -> rows(table)).hasStackTraceContaining("AccessDenied");
        });
    as("reader", table -> assertThat(table.exists(new Get(ROW))).isTrue());
    as("writer", table -> table.delete(new Delete(ROW)));
    as("reader", table -> assertThat(table.exists(new Get(ROW))).isFalse());
    asynchronouslyAs("writer", table -> FutureUtils.get(table.put(put())));
    as("reader", table -> assertThat(table.exists(new Get(ROW))).isTrue());
    writerBuffers();
    as("reader", table -> assertThat(table.exists(new Get(D))).isTrue());
  }

  private void writerBuffers() throws Exception {
    Configuration configuration = dropIn();
    User.createUserForTesting(configuration, "writer", new String[0])
        .runAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (Connection connection = ConnectionFactory.createConnection(configuration);
                      BufferedMutator mutator = connection.getBufferedMutator(name)) {
                    mutator.mutate(new Put(D).addColumn(D, D, D));
                  }
                  return null;
                });
  }

  private void outsiderIsDenied() throws Exception {
    as(
        "outsider",
        table -> {
          assertThatThrownBy(() -> table.get(new Get(ROW)))
              .isInstanceOf(AccessDeniedException.class);
          assertThatThrownBy(() -> table.put(put())).isInstanceOf(AccessDeniedException.class);
          assertThatThrownBy(() -> rows(table)).hasStackTraceContaining("AccessDenied");
        });
    asynchronouslyAs(
        "outsider",
        table -> {
          assertThatThrownBy(() -> FutureUtils.get(table.get(new Get(ROW))))
              .isInstanceOf(AccessDeniedException.class);
          assertThatThrownBy(() -> FutureUtils.get(table.scanAll(new Scan())))
              .hasStackTraceContaining("AccessDenied");
        });
  }
}
