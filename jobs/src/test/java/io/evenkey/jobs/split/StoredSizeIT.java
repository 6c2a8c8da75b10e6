/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** The size of a table that is in the memory of its region servers. */
@ExtendWith(EmbeddedHBaseExtension.class)
class StoredSizeIT {
  private static final int ROWS = 3_000;
  private static final byte[] VALUE = new byte[1_024];
  private static final byte[] FAMILY = Bytes.toBytes("d");

  private Connection plain;
  private TableName table;

  @BeforeEach
  void fill(Connection shared, TestInfo info) throws IOException {
    plain = shared;
    table = TableName.valueOf(info.getTestMethod().orElseThrow().getName());
    List<Put> puts = new ArrayList<>();
    for (int n = 0; n < ROWS; n++) {
      puts.add(new Put(Bytes.toBytes(n)).addColumn(FAMILY, FAMILY, VALUE));
    }
    try (Admin admin = plain.getAdmin();
        Table open = plain.getTable(table)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(table)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
      open.put(puts);
    }
  }

  /** The same admin, but the master still lists a server that no process answers for. */
  private static Admin withDeadServer(Admin admin) throws IOException {
    int port;
    try (ServerSocket closedAtOnce = new ServerSocket(0)) {
      port = closedAtOnce.getLocalPort();
    }
    ServerName dead = ServerName.valueOf("localhost", port, 1);
    return (Admin)
        Proxy.newProxyInstance(
            Admin.class.getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, method, arguments) -> {
              try {
                if (!method.getName().equals("getRegionServers")) {
                  return method.invoke(admin, arguments);
                }
                List<ServerName> servers = new ArrayList<>(admin.getRegionServers());
                servers.add(dead);
                return servers;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Tag("long")
  @Test
  void theServersSayTheSize() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      assertThat(StoredSize.megabytes(admin, table)).isBetween(2.0, 5.0);
    }
  }

  @Tag("long")
  @Test
  void theMasterSaysTheSizeIfAServerDoesNotAnswer() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      Admin withDead = withDeadServer(admin);
      await().atMost(Duration.ofMinutes(1)).until(() -> StoredSize.megabytes(withDead, table) >= 2);
    }
  }
}
