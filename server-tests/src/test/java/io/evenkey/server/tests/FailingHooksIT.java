/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.tests;

import static io.evenkey.server.tests.GuardedTable.FAMILY;
import static io.evenkey.server.tests.GuardedTable.QUALIFIER;
import static io.evenkey.server.tests.GuardedTable.STAMP;
import static io.evenkey.server.tests.GuardedTable.get;
import static io.evenkey.server.tests.GuardedTable.put;
import static io.evenkey.server.tests.GuardedTable.stamped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.protocol.guard.FileStamp;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.server.guard.DescriptorGuard;
import io.evenkey.server.guard.LayoutGuard;
import io.evenkey.server.hooks.Faults;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MultiRowMutationService;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each hook of the guard fails, in every way that a hook may: the request is refused, and neither
 * the master nor a region server stops.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class FailingHooksIT {
  /** Hooks whose failure HBase or its client repeats, or only logs. */
  private static final Set<String> UNSEEN =
      Set.of(
          "start",
          "preOpen",
          "postOpen",
          "postStartRegionOperation",
          "preWALAppend",
          "postScannerClose",
          "preCompactScannerOpen",
          "postBulkLoadHFile",
          "postCompletedCreateTableAction",
          "postDisableTable");

  private final EmbeddedHBase hbase;
  private final Connection connection;
  private final Admin admin;
  private final GuardedTable table;
  private final Set<String> failed = new TreeSet<>();
  private int loads;
  @TempDir private Path directory;

  FailingHooksIT(EmbeddedHBase hbase) throws IOException {
    this.hbase = hbase;
    Configuration conf = hbase.configuration();
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 3);
    connection = ConnectionFactory.createConnection(conf);
    admin = connection.getAdmin();
    table = GuardedTable.withLayout(connection);
  }

  /** Makes HBase call a hook. */
  private interface Call {
    void make() throws Exception;
  }

  private static Set<String> hooks(Class<? extends Coprocessor> guard) {
    Set<String> hooks = new TreeSet<>();
    for (Method method : guard.getMethods()) {
      if (method.getDeclaringClass() == guard && !method.getName().endsWith("Observer")) {
        hooks.add(method.getName());
      }
    }
    return hooks;
  }

  private Map<String, Call> ofRegions() {
    Map<String, Call> calls = new LinkedHashMap<>();
    for (String hook : List.of("start", "preOpen", "postOpen")) {
      calls.put(hook, this::reopen);
    }
    calls.put("preGetOp", () -> read(rows -> rows.get(stamped(get("a")))));
    calls.put("preExists", () -> read(rows -> rows.exists(stamped(get("a")))));
    calls.put(
        "preCheckAndMutate",
        () ->
            read(
                rows ->
                    rows.checkAndMutate(
                        CheckAndMutate.newBuilder(Bytes.toBytes("a"))
                            .ifNotExists(FAMILY, QUALIFIER)
                            .build(stamped(put("a"))))));
    for (String hook :
        List.of(
            "preScannerOpen",
            "postScannerOpen",
            "preScannerNext",
            "postScannerNext",
            "postScannerClose")) {
      calls.put(hook, () -> read(FailingHooksIT::scan));
    }
    for (String hook :
        List.of(
            "prePut",
            "preBatchMutate",
            "preWALAppend",
            "postBatchMutateIndispensably",
            "postStartRegionOperation",
            "postCloseRegionOperation")) {
      calls.put(hook, () -> table.write(stamped(put("a"))));
    }
    for (String hook : List.of("preBulkLoadHFile", "postBulkLoadHFile")) {
      calls.put(hook, this::load);
    }
    calls.put("preCompactScannerOpen", this::compact);
    calls.put("preEndpointInvocation", () -> read(FailingHooksIT::callEndpoint));
    return calls;
  }

  private Map<String, Call> ofTheMaster() {
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put("postCompletedCreateTableAction", this::createAndDelete);
    calls.put("preCreateTableAction", this::createAndDelete);
    calls.put("preCreateTableRegionsInfos", this::create);
    for (String hook : List.of("preModifyTable", "preModifyTableAction")) {
      calls.put(hook, () -> table.describe("OWNER", hook + loads++));
    }
    calls.put("preSnapshot", () -> admin.snapshot(snapshot() + loads++, other()));
    calls.put(
        "preSplitRegionAction",
        () -> enabled(regions -> admin.splitRegionAsync(regions.get(0), Bytes.toBytes("b")).get()));
    calls.put(
        "preMergeRegionsAction",
        () ->
            enabled(
                regions -> {
                  List<byte[]> last = regions.subList(regions.size() - 2, regions.size());
                  admin.mergeRegionsAsync(last.toArray(new byte[2][]), false).get();
                }));
    calls.put("postDisableTable", this::disableAgain);
    calls.put("preTruncateTable", () -> disabled(() -> admin.truncateTable(other(), true)));
    calls.put("preTruncateTableAction", () -> disabled(() -> admin.truncateTable(other(), true)));
    calls.put("preRestoreSnapshot", () -> disabled(() -> admin.restoreSnapshot(snapshot())));
    calls.put("preDeleteTableAction", () -> disabled(() -> admin.deleteTable(other())));
    return calls;
  }

  private interface Request {
    Object make(Table rows) throws Exception;
  }

  private void read(Request request) throws Exception {
    try (Table rows = table.open()) {
      request.make(rows);
    }
  }

  private static int scan(Table rows) throws IOException {
    try (ResultScanner scanner = rows.getScanner(stamped(new Scan()))) {
      int found = 0;
      while (scanner.next() != null) {
        found++;
      }
      return found;
    }
  }

  private static Object callEndpoint(Table rows) throws Exception {
    return MultiRowMutationService.newBlockingStub(rows.coprocessorService(Bytes.toBytes("a")))
        .mutateRows(null, MutateRowsRequest.getDefaultInstance());
  }

  private void reopen() throws IOException {
    admin.disableTable(table.name());
    admin.enableTable(table.name());
  }

  private void load() throws IOException {
    table.load(directory.resolve("load" + loads++), "a", Map.of(FileStamp.LAYOUT, STAMP));
  }

  private void compact() throws IOException {
    table.write(stamped(put("b")));
    admin.flush(table.name());
    admin.majorCompact(table.name());
  }

  private TableName other() {
    return TableName.valueOf(table.name() + ".other");
  }

  private String snapshot() {
    return "snapshot" + table.name();
  }

  private void createAndDelete() throws IOException {
    createOther();
    admin.disableTable(other());
    admin.deleteTable(other());
  }

  private void createOther() throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(other())
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build(),
        new byte[][] {Bytes.toBytes("c"), Bytes.toBytes("e"), Bytes.toBytes("g")});
  }

  private void create() throws IOException {
    createOther();
    admin.snapshot(snapshot(), other());
    admin.disableTable(other());
  }

  /** On the other table, which stays disabled. */
  private void disabled(Call call) throws Exception {
    if (!admin.isTableDisabled(other())) {
      admin.disableTable(other());
    }
    call.make();
  }

  private void disableAgain() throws Exception {
    if (admin.isTableDisabled(other())) {
      admin.enableTable(other());
    }
    admin.disableTable(other());
  }

  private interface RegionCall {
    void make(List<byte[]> regions) throws Exception;
  }

  /** On the regions of the other table, which stays enabled. */
  private void enabled(RegionCall call) throws Exception {
    if (admin.isTableDisabled(other())) {
      admin.enableTable(other());
    }
    call.make(admin.getRegions(other()).stream().map(RegionInfo::getEncodedNameAsBytes).toList());
  }

  @BeforeEach
  void addEndpoint() throws IOException {
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(table.name()))
            .setCoprocessor(MultiRowMutationEndpoint.class.getName())
            .build());
    table.write(stamped(put("a")));
  }

  /** HBase changes only the descriptor of tables without one. */
  private void removeEndpoint() throws IOException {
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(table.name()))
            .removeCoprocessor(MultiRowMutationEndpoint.class.getName())
            .build());
  }

  @AfterEach
  void close() throws IOException {
    connection.close();
  }

  private ServerName master() throws IOException {
    return admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.MASTER)).getMasterName();
  }

  /** Fails a hook once. */
  private void fail(String hook, String of, Call call, boolean first, Throwable kind) {
    try (Faults.Fault fault = Faults.arm(hook, of, first, kind)) {
      Throwable thrown = catchThrowable(call::make);
      await(hook).atMost(1, TimeUnit.MINUTES).until(fault::raised);
      if (!UNSEEN.contains(hook)) {
        assertThat(thrown)
            .as("%s %s", hook, kind)
            .isInstanceOf(Exception.class)
            .hasStackTraceContaining("hook failed: hook=" + hook)
            .hasStackTraceContaining("cause=" + kind);
      }
    }
    failed.add(hook);
  }

  private void failAll(boolean everyKind) throws Exception {
    List<ServerName> servers = hbase.servers();
    ServerName master = master();
    int turn = 0;
    for (boolean ofRegions : new boolean[] {true, false}) {
      for (Map.Entry<String, Call> one : (ofRegions ? ofRegions() : ofTheMaster()).entrySet()) {
        String hook = one.getKey();
        boolean ofOther = !ofRegions && !hook.startsWith("preModify");
        String of = (ofOther ? other() : table.name()).getNameAsString();
        List<Throwable> kinds = Faults.kinds();
        for (int i = 0; i < (everyKind ? 2 * kinds.size() : 1); i++, turn++) {
          fail(hook, of, one.getValue(), i % 2 == 0, kinds.get(turn / 2 % kinds.size()));
        }
        // The hook does its work again.
        one.getValue().make();
      }
      if (ofRegions) {
        removeEndpoint();
      }
    }
    assertThat(hbase.servers()).containsExactlyInAnyOrderElementsOf(servers);
    assertThat(master()).isEqualTo(master);
    Set<String> all = hooks(LayoutGuard.class);
    all.addAll(hooks(DescriptorGuard.class));
    assertThat(failed).isEqualTo(all);
    // Nothing is held of the requests that failed.
    table.set(1, GuardMode.READ_ONLY);
  }

  @Test
  void aHookThatFailsFailsItsRequestOnly() throws Exception {
    failAll(false);
  }

  @Tag("long")
  @Test
  void aHookMayFailInEveryWay() throws Exception {
    failAll(true);
  }
}
