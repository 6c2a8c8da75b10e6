/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.portal.Portal;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.launch.PortalSettings;
import io.evenkey.report.launch.RunningPortal;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.PrivilegedAction;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.quotas.QuotaSettingsFactory;
import org.apache.hadoop.hbase.quotas.QuotaTableUtil;
import org.apache.hadoop.hbase.quotas.SpaceViolationPolicy;
import org.apache.hadoop.hbase.quotas.ThrottleType;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Messages for users of an HBase with permissions and quotas. */
@Tag("long")
class GuardedFailuresIT {
  private static final String LAYOUT = "salt(4, device) + device:string + ts:timestamp desc";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private static Path directory;
  private static EmbeddedHBase hbase;
  private String table;

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> settings = new HashMap<>();
    settings.put("hbase.quota.enabled", "true");
    settings.put("hbase.quota.refresh.period", "500");
    // Region servers report sizes to the master, which reports violations back.
    for (String chore :
        new String[] {
          "hbase.master.quotas.observer",
          "hbase.regionserver.quotas.filesystem.usage",
          "hbase.regionserver.quotas.policy.refresher",
          "hbase.regionserver.quotas.region.size.reporting"
        }) {
      settings.put(chore + ".chore.period", "500");
      settings.put(chore + ".chore.delay", "500");
    }
    hbase =
        EmbeddedHBase.in(directory.resolve("guarded"))
            .servers(1)
            .settings(settings)
            .accessControl(true)
            .start();
    try (Admin admin = hbase.connection().getAdmin()) {
      await().atMost(PATIENCE).until(() -> admin.isTableAvailable(QuotaTableUtil.QUOTA_TABLE_NAME));
    }
  }

  @AfterAll
  static void stop() throws IOException {
    if (hbase != null) {
      hbase.close();
    }
  }

  @BeforeEach
  void name(TestInfo test) {
    table = test.getTestMethod().orElseThrow().getName();
  }

  private TableName created() {
    Run.on(hbase, "plan", table, "--layout", LAYOUT, "--regions", "1", "--families", "d").done();
    Run.on(hbase, "create", table).done();
    return TableName.valueOf(table);
  }

  private static Run as(String user, String... arguments) {
    return UserGroupInformation.createRemoteUser(user)
        .doAs((PrivilegedAction<Run>) () -> Run.on(hbase, arguments));
  }

  private String[] put(String... more) {
    List<String> all =
        new ArrayList<>(List.of("put", table, "device=d1", "ts=1700000000000", "d:temp=21"));
    all.addAll(List.of(more));
    return all.toArray(new String[0]);
  }

  private String denied(String action, String right) {
    return "access denied: user=eve action="
        + action
        + " table="
        + table
        + "; an HBase administrator can grant it in the HBase shell: grant 'eve', '"
        + right
        + "', '"
        + table
        + "'";
  }

  @Test
  void theMissingRightOnATableIsNamed() throws Throwable {
    TableName name = created();
    Run.on(hbase, put()).done();
    assertThat(as("eve", put()).err()).matches("evenkey: " + denied("\\w+", "\\w") + "\n");
    AccessControlClient.grant(
        hbase.connection(), name, "eve", null, null, Permission.Action.CREATE);
    assertThat(as("eve", put())).satisfies(Run.failed(denied("WRITE", "W")));
    assertThat(as("eve", "get", table, "device=d1", "ts=1700000000000"))
        .satisfies(Run.failed(denied("READ", "R")));
    assertThat(as("eve", "scan", table)).satisfies(Run.failed(denied("READ", "R")));
    assertThat(as("eve", "count", table)).satisfies(Run.failed(denied("READ", "R")));
  }

  /** What the portal of a user without rights can have, it shows, and says what is missing. */
  @Test
  void aPortalWithoutRightsSaysWhatItCannotShow() throws Exception {
    created();
    PortalSettings.Builder settings =
        PortalSettings.local(0, "a-token-for-tests-only").every(Duration.ofSeconds(1));
    try (Cluster cluster = Cluster.open(hbase.configuration())) {
      Portal.start(settings.build(), cluster).close();
    }
    UserGroupInformation.createRemoteUser("eve")
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (Cluster cluster = Cluster.open(hbase.configuration());
                      RunningPortal portal = Portal.start(settings.build(), cluster)) {
                    assertThat(answer(portal, "api/live"))
                        .contains("The stored heat cannot be read")
                        .contains("access denied: user=eve action=READ table=evenkey:heat")
                        .contains("start the portal again");
                    await()
                        .atMost(PATIENCE)
                        .until(
                            () -> answer(portal, "api/tables").matches("(?s).*\"hidden\":[1-9].*"));
                    assertThat(answer(portal, "api/tables/" + table))
                        .contains("access denied: user=eve")
                        .doesNotContain("Exception");
                  }
                  return null;
                });
  }

  private static String answer(RunningPortal portal, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(portal.url() + path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  @Test
  void theMissingRightToCreateATableIsNamed() {
    Run.on(hbase, "plan", table, "--layout", LAYOUT, "--regions", "1", "--families", "d").done();
    assertThat(as("eve", "create", table)).satisfies(Run.failed(denied("CREATE", "C")));
  }

  @Test
  void anExceededQuotaOfRequestsIsNamed() throws Exception {
    TableName name = created();
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.setQuota(
          QuotaSettingsFactory.throttleTable(name, ThrottleType.WRITE_NUMBER, 1, TimeUnit.DAYS));
      String[] impatient = {"-D", "hbase.client.operation.timeout=2000"};
      Run[] last = new Run[1];
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                last[0] = Run.on(hbase, put(impatient));
                return last[0].exit() != 0;
              });
      assertThat(last[0].err())
          .matches(
              "evenkey: request quota exceeded: table="
                  + table
                  + " limit=number_of_write_requests wait=\\w+; send fewer requests, or have an administrator raise the quota in the HBase shell:"
                  + " list_quotas, set_quota TYPE => THROTTLE\n");
    }
  }

  @Test
  void anExceededQuotaOfSpaceIsNamed() throws Exception {
    TableName name = created();
    Run.on(hbase, put()).done();
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.flush(name);
      admin.setQuota(QuotaSettingsFactory.limitTableSpace(name, 1, SpaceViolationPolicy.NO_WRITES));
      Run[] last = new Run[1];
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                last[0] = Run.on(hbase, put());
                return last[0].exit() != 0;
              });
      assertThat(last[0])
          .satisfies(
              Run.failed(
                  "space quota exceeded: table="
                      + table
                      + " policy=NO_WRITES; delete data and compact, or have an administrator raise"
                      + " the quota in the HBase shell: list_quotas, set_quota TYPE => SPACE"));
    }
  }

  @Test
  void anExceededQuotaOfTablesIsNamed() throws Exception {
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.createNamespace(
          NamespaceDescriptor.create("small")
              .addConfiguration("hbase.namespace.quota.maxtables", "1")
              .build());
    }
    for (String one : new String[] {"small:a", "small:b"}) {
      Run.on(hbase, "plan", one, "--layout", LAYOUT, "--regions", "1", "--families", "d").done();
    }
    Run.on(hbase, "create", "small:a").done();
    Run second = Run.on(hbase, "create", "small:b");
    assertThat(second)
        .satisfies(
            Run.failed(
                "quota exceeded: reason=The table small:b cannot be created as it would exceed"
                    + " maximum number of tables allowed  in the namespace.  The total number of"
                    + " tables permitted is 1; drop what is not needed, or have an administrator"
                    + " raise the quota of the namespace in the HBase shell: alter_namespace"));
  }
}
