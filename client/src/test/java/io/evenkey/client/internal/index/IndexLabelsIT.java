/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.index.IndexKey;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.security.visibility.Authorizations;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.security.visibility.VisibilityClient;
import org.apache.hadoop.hbase.security.visibility.VisibilityConstants;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A reader through an index does not see what the labels of the row's cells hide from him. */
@Tag("long")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class IndexLabelsIT {
  private static final byte[] AMOUNT = Bytes.toBytes("amount");
  private static final TableIndex MUTABLE =
      TableIndex.parse(
          "by_customer mutable public as"
              + " \"salt(3) + customer:string + seller:string + id:int64\" from"
              + " customer=d:customer covering d:amount");

  private static final String[] LABELS = {"secret", "public", "other"};

  private static EmbeddedHBase hbase;

  @BeforeAll
  static void start() throws Throwable {
    String labels = VisibilityController.class.getName();
    hbase =
        EmbeddedHBase.temporary()
            .servers(1)
            .settings(
                Map.of(
                    "hbase.coprocessor.master.classes",
                    labels,
                    "hbase.coprocessor.region.classes",
                    labels))
            .accessControl(true)
            .start();
    Connection superuser = hbase.connection();
    try (Admin admin = superuser.getAdmin()) {
      await()
          .atMost(2, TimeUnit.MINUTES)
          .until(() -> admin.isTableAvailable(VisibilityConstants.LABELS_TABLE_NAME));
      admin.grant(
          new UserPermission(
              "owner", Permission.newBuilder().withActions(Permission.Action.values()).build()),
          false);
    }
    VisibilityClient.addLabels(superuser, LABELS);
    VisibilityClient.setAuths(superuser, LABELS, "owner");
  }

  @AfterAll
  static void stop() throws IOException {
    if (hbase != null) {
      hbase.close();
    }
  }

  @FunctionalInterface
  private interface Work {
    void with(Table orders, Table entries) throws IOException;
  }

  /** As a user who may see cells of both labels. */
  private static void asOwner(String name, TableIndex index, Work work) throws Exception {
    IndexedTable indexed = IndexedTable.create(hbase.connection(), name);
    TableName entries = indexed.createEntries(index);
    indexed.add(index);
    UserGroupInformation.createRemoteUser("owner")
        .doAs(
            (PrivilegedExceptionAction<Boolean>)
                () -> {
                  try (Connection connection =
                          ConnectionFactory.createConnection(
                              IndexedTable.dropIn(hbase.connection().getConfiguration()));
                      Table table = connection.getTable(indexed.name());
                      Table byCustomer = connection.getTable(entries)) {
                    work.with(table, byCustomer);
                  }
                  return true;
                });
  }

  private static List<String> columns(Result row) {
    List<String> columns = new ArrayList<>();
    for (Cell cell : row.isEmpty() ? new Cell[0] : row.rawCells()) {
      columns.add(Bytes.toString(CellUtil.cloneQualifier(cell)));
    }
    return columns;
  }

  private static List<String> columns(Table table, Scan scan) throws IOException {
    List<String> columns = new ArrayList<>();
    try (ResultScanner rows = table.getScanner(scan)) {
      rows.forEach(row -> columns.addAll(columns(row)));
    }
    return columns;
  }

  private static <M extends Put> M labelled(M put, String label) {
    put.setCellVisibility(new CellVisibility(label));
    return put;
  }

  private static Put amount() {
    return new Put(IndexedTable.key("s", 1)).addColumn(IndexedTable.D, AMOUNT, AMOUNT);
  }

  @Test
  void aReaderOfTheTableOfAnIndexIsShownWhatItsAuthorizationsAllow() throws Exception {
    asOwner(
        "narrowed",
        IndexedTable.BY_CUSTOMER,
        (orders, entries) -> {
          orders.put(labelled(IndexedTable.order("s", 1, "c1"), "public"));
          orders.put(labelled(amount(), "secret"));
          Layout layout =
              IndexKey.of(IndexedTable.LAYOUT, IndexedTable.BY_CUSTOMER).index().layout();
          byte[] key =
              layout.logicalKey(Values.of("customer", "c1").and("seller", "s").and("id", 1L));
          Authorizations narrow = new Authorizations("public");
          assertThat(columns(entries, new Scan())).containsExactly("amount", "customer");
          assertThat(columns(entries, new Scan().setAuthorizations(narrow)))
              .containsExactly("customer");
          assertThat(columns(entries.get(new Get(key).setAuthorizations(narrow))))
              .containsExactly("customer");
          Authorizations other = new Authorizations("other");
          assertThat(columns(entries, new Scan().setAuthorizations(other))).isEmpty();
        });
  }

  @Test
  void anEntryHasNoValueThatOthersMaySeeThanThoseOfItsRow() throws Exception {
    asOwner(
        "left",
        MUTABLE,
        (orders, entries) -> {
          orders.put(labelled(IndexedTable.order("s", 1, "c1"), "secret"));
          assertThatThrownBy(() -> orders.put(labelled(amount(), "public")))
              .hasMessageContaining("labels or rights that the put does not have");
          assertThatThrownBy(() -> orders.put(amount()))
              .hasMessageContaining("labels or rights that the put does not have");
          orders.put(labelled(amount(), "secret"));
          assertThat(columns(entries, new Scan())).containsExactly("amount", "customer");
          assertThat(columns(entries, new Scan().setAuthorizations(new Authorizations("public"))))
              .isEmpty();
        });
  }
}
