/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.metrics.ScanMeters;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.quotas.QuotaCache;
import org.apache.hadoop.hbase.quotas.QuotaSettingsFactory;
import org.apache.hadoop.hbase.quotas.QuotaUtil;
import org.apache.hadoop.hbase.quotas.ThrottleType;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.visibility.Authorizations;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.security.visibility.VisibilityClient;
import org.apache.hadoop.hbase.security.visibility.VisibilityConstants;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows that servers gather are those that the user may see in each region that is read. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ServerGatherRightsIT {
  private static final TableName NAME = TableName.valueOf("seen");
  private static final byte[] OPEN = Bytes.toBytes("open");
  private static final byte[] SECRET = Bytes.toBytes("secret");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final int ROWS = 200;

  private static EmbeddedHBase hbase;

  private interface Read<T> {
    T from(Table table) throws IOException;
  }

  @BeforeAll
  static void start() throws Throwable {
    String labels = VisibilityController.class.getName();
    hbase =
        EmbeddedHBase.temporary()
            .servers(2)
            .settings(
                Map.of(
                    "hbase.coprocessor.master.classes",
                    labels,
                    "hbase.coprocessor.region.classes",
                    labels,
                    QuotaUtil.QUOTA_CONF_KEY,
                    "true",
                    QuotaCache.REFRESH_CONF_KEY,
                    "500"))
            .accessControl(true)
            .start();
    Connection admin = hbase.connection();
    try (Admin tables = admin.getAdmin()) {
      await()
          .atMost(2, TimeUnit.MINUTES)
          .until(() -> tables.isTableAvailable(VisibilityConstants.LABELS_TABLE_NAME));
    }
    VisibilityClient.addLabels(admin, new String[] {"private"});
    VisibilityClient.setAuths(admin, new String[] {"private"}, "cleared");
    fill(admin);
    for (String user : List.of("reader", "cleared", "limited")) {
      AccessControlClient.grant(admin, NAME, user, OPEN, null, Permission.Action.READ);
    }
    AccessControlClient.grant(admin, NAME, "cleared", SECRET, null, Permission.Action.READ);
  }

  /** Every third row has a label. */
  private static void fill(Connection admin) throws IOException {
    Layout layout = Layout.parse("salt(8) + key:bytes");
    try (SpreadTables tables = SpreadTables.on(admin)) {
      SpreadTable table = tables.create(NAME, layout, layout.splits(5), List.of("open", "secret"));
      for (int i = 0; i < ROWS; i++) {
        Put put = new Put(Bytes.toBytes(i)).addColumn(OPEN, Q, Q).addColumn(SECRET, Q, Q);
        table.put(i % 3 == 0 ? put.setCellVisibility(new CellVisibility("private")) : put);
      }
    }
  }

  @AfterAll
  static void stop() throws IOException {
    if (hbase != null) {
      hbase.close();
    }
  }

  private static <T> T as(String user, Read<T> read) throws Exception {
    Configuration configuration = hbase.configuration();
    configuration.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 2);
    configuration.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, 10_000);
    configuration.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, 10_000);
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    return User.createUserForTesting(configuration, user, new String[0])
        .runAs(
            (PrivilegedExceptionAction<T>)
                () -> {
                  try (Connection connection = ConnectionFactory.createConnection(configuration);
                      Table table = connection.getTable(NAME)) {
                    return read.from(table);
                  }
                });
  }

  private static boolean isThrottled(String user) {
    try {
      as(user, table -> first(table, new Scan()));
      return false;
    } catch (Exception e) {
      assertThat(e).hasStackTraceContaining("RpcThrottlingException");
      return true;
    }
  }

  private static List<Result> first(Table table, Scan scan) throws IOException {
    try (ResultScanner scanner = table.getScanner(scan.setLimit(20))) {
      return List.of(scanner.next(20));
    }
  }

  /** The first rows, by one request to each server: a scan falls back while regions are opened. */
  private static List<Result> gathered(String user) {
    AtomicReference<List<Result>> rows = new AtomicReference<>(List.of());
    await()
        .atMost(1, TimeUnit.MINUTES)
        .until(
            () -> {
              long before = ScanMeters.gathered();
              rows.set(as(user, table -> first(table, new Scan())));
              return ScanMeters.gathered() > before;
            });
    return rows.get();
  }

  private static List<Integer> keys(List<Result> rows) {
    return rows.stream().map(row -> Bytes.toInt(row.getRow())).toList();
  }

  @Test
  void aReaderOfAFamilySeesThatFamilyOnly() throws Exception {
    assertThat(gathered("reader"))
        .hasSize(20)
        .allSatisfy(row -> assertThat(row.getFamilyMap(SECRET)).isNullOrEmpty());
  }

  @Test
  void rowsWithALabelAreForUsersWithIt() throws Exception {
    List<Integer> without = keys(as("reader", table -> first(table, new Scan())));
    assertThat(without).hasSize(20).isSorted().noneMatch(key -> key % 3 == 0);
    List<Integer> with =
        keys(
            as(
                "cleared",
                table ->
                    first(table, new Scan().setAuthorizations(new Authorizations("private")))));
    assertThat(with).hasSize(20).isSorted().startsWith(0, 1, 2, 3);
  }

  @Tag("long")
  @Test
  void rowsOfAllRegionsCountForAQuotaOfBytes() throws Exception {
    int bytes = 0;
    for (Result row : gathered("limited")) {
      for (Cell cell : row.rawCells()) {
        bytes += cell.getSerializedSize();
      }
    }
    // Less than the rows of both servers, and more than those of any one region.
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.setQuota(
          QuotaSettingsFactory.throttleUser(
              "limited", ThrottleType.READ_SIZE, bytes / 3, TimeUnit.DAYS));
    }
    // A read may be refused within the one request that gathers, or when the client then asks for
    // each bucket, as where a server cannot gather.
    await().atMost(1, TimeUnit.MINUTES).until(() -> isThrottled("limited"));
    assertThat(isThrottled("reader")).isFalse();
  }

  @Test
  void anOutsiderIsRefused() {
    assertThatThrownBy(() -> as("outsider", table -> first(table, new Scan())))
        .hasStackTraceContaining("AccessDenied");
    assertThatThrownBy(() -> as("reader", table -> first(table, new Scan().addFamily(SECRET))))
        .hasStackTraceContaining("AccessDenied");
  }
}
