/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.security.visibility.VisibilityClient;
import org.apache.hadoop.hbase.security.visibility.VisibilityConstants;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sweeps of an index whose rows have values that labels hide from some readers. */
@Tag("long")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LabelledSweepIT {
  private static final Layout LAYOUT = Layout.parse("salt(2) + key:bytes");
  private static final TableName NAME = TableName.valueOf("labelled");
  private static final TableName ENTRIES = TableName.valueOf("labelled.by_customer");
  private static final TableIndex BY_CUSTOMER =
      TableIndex.parse(
          "by_customer mutable joining as \"salt(2) + customer:string\" from customer=d:customer");
  private static final byte[] D = Bytes.toBytes("d");
  private static final byte[] CUSTOMER = Bytes.toBytes("customer");
  private static final String OF_ALL = "of_all";
  private static final String OF_SOME = "of_some";

  private static void start(EmbeddedHBase hbase) throws Throwable {
    Connection superuser = hbase.connection();
    try (Admin admin = superuser.getAdmin()) {
      await()
          .atMost(2, TimeUnit.MINUTES)
          .until(() -> admin.isTableAvailable(VisibilityConstants.LABELS_TABLE_NAME));
      for (String user : List.of(OF_ALL, OF_SOME)) {
        admin.grant(
            new UserPermission(
                user, Permission.newBuilder().withActions(Permission.Action.values()).build()),
            false);
      }
      // Of a family that keeps one version, no reader sees an earlier value.
      admin.createTable(
          TableLayout.with(
              TableDescriptorBuilder.newBuilder(NAME)
                  .setColumnFamily(
                      ColumnFamilyDescriptorBuilder.newBuilder(D).setMaxVersions(3).build())
                  .build(),
              LAYOUT));
    }
    VisibilityClient.addLabels(superuser, new String[] {"secret"});
    VisibilityClient.setAuths(superuser, new String[] {"secret"}, OF_ALL);
  }

  private static <T> T as(String user, PrivilegedExceptionAction<T> action) throws Exception {
    return UserGroupInformation.createRemoteUser(user).doAs(action);
  }

  private static Connection dropIn(EmbeddedHBase hbase) throws IOException {
    Configuration configuration = new Configuration(hbase.connection().getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    return ConnectionFactory.createConnection(configuration);
  }

  private static Put order(String customer) {
    return new Put(Bytes.toBytes("order")).addColumn(D, CUSTOMER, Bytes.toBytes(customer));
  }

  private static List<String> customers(EmbeddedHBase hbase, String user, TableName of)
      throws Exception {
    return as(
        user,
        () -> {
          List<String> customers = new ArrayList<>();
          try (Connection connection = dropIn(hbase);
              Table table = connection.getTable(of);
              ResultScanner rows = table.getScanner(new Scan())) {
            for (Result row : rows) {
              customers.add(Bytes.toString(row.getValue(D, CUSTOMER)));
            }
          }
          return customers;
        });
  }

  @Test
  void aSweepLeavesTheEntriesOfValuesThatSomeReadersSee() throws Throwable {
    String labels = VisibilityController.class.getName();
    try (EmbeddedHBase hbase =
            EmbeddedHBase.temporary()
                .servers(1)
                .settings(
                    Map.of(
                        "hbase.coprocessor.master.classes", labels,
                        "hbase.coprocessor.region.classes", labels))
                .accessControl(true)
                .start();
        Registry registry = Registry.open(hbase.connection().getConfiguration())) {
      start(hbase);
      Connection plain = hbase.connection();
      new IndexAddition(NAME, BY_CUSTOMER, 0, 0).run(plain, registry, IndexListener.NONE);
      as(
          OF_ALL,
          () -> {
            try (Connection connection = dropIn(hbase);
                Table table = connection.getTable(NAME)) {
              table.put(order("never"));
              table.put(order("open"));
              table.put(order("hidden").setCellVisibility(new CellVisibility("secret")));
            }
            return true;
          });
      for (TableName of : List.of(NAME, ENTRIES)) {
        assertThat(customers(hbase, OF_ALL, of)).as("%s", of).containsExactly("hidden");
        assertThat(customers(hbase, OF_SOME, of)).as("%s", of).containsExactly("open");
      }
      IndexVerification.sweep(plain, registry, NAME, "by_customer", IndexListener.NONE);
      for (TableName of : List.of(NAME, ENTRIES)) {
        assertThat(customers(hbase, OF_ALL, of)).as("%s", of).containsExactly("hidden");
        assertThat(customers(hbase, OF_SOME, of)).as("%s", of).containsExactly("open");
      }
      as(
          OF_SOME,
          () -> {
            try (Connection own = ConnectionFactory.createConnection(plain.getConfiguration())) {
              assertThatThrownBy(
                      () ->
                          IndexVerification.sweep(
                              own, registry, NAME, "by_customer", IndexListener.NONE))
                  .isInstanceOf(IndexLifeException.class)
                  .hasMessageContaining("may not see all cells");
            }
            return true;
          });
    }
  }
}
