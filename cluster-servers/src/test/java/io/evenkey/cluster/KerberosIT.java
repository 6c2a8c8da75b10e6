/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.failure.RegistryException;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Scope;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.client.internal.zookeeper.RegistrySettings;
import io.evenkey.client.plan.Plan;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.security.access.PermissionStorage;
import org.apache.kerby.kerberos.kerb.client.KrbClient;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Evenkey where HBase, HDFS and ZooKeeper ask for Kerberos, and HBase checks rights. */
@Tag("long")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class KerberosIT {
  private static final String ADMIN = "admin";
  private static final String OWNER = "owner";
  private static final String READER = "reader";
  private static final String WRITER = "writer";
  private static final String OUTSIDER = "outsider";
  private static final String PORTAL = "portal";
  private static final TableName TABLE = TableName.valueOf("secured");

  private static SeparateCluster cluster;

  @TempDir private Path directory;

  @BeforeAll
  static void start() throws Exception {
    Path base = Path.of(System.getProperty("evenkey.cluster.tests"), "kerberos");
    cluster =
        SeparateCluster.start(
            base,
            ClusterOptions.defaults()
                .withRegionServers(1)
                .withYarn(false)
                .withSettings(
                    Map.of(
                        "hadoop.proxyuser." + PORTAL + ".hosts",
                        "127.0.0.1",
                        "hadoop.proxyuser." + PORTAL + ".users",
                        OWNER + "," + OUTSIDER))
                .withKerberos(Kerberos.of(ADMIN, OWNER, READER, WRITER, OUTSIDER, PORTAL))
                .keepingLogs());
    as(
        ADMIN,
        connection -> {
          awaitAccessTable(connection);
          grant(connection, "default", OWNER, Action.CREATE, Action.ADMIN);
        });
    as(
        OWNER,
        connection -> {
          Rows.create(connection, TABLE.getNameAsString(), 2);
          grant(connection, TABLE, READER, Action.READ);
          grant(connection, TABLE, WRITER, Action.WRITE);
        });
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.close();
      assertThat(cluster.running()).as("processes that are left").isEmpty();
    }
  }

  // The master creates it some time after its start.
  private static void awaitAccessTable(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      await()
          .atMost(Duration.ofMinutes(2))
          .until(
              () ->
                  admin.tableExists(PermissionStorage.ACL_TABLE_NAME)
                      && admin.isTableAvailable(PermissionStorage.ACL_TABLE_NAME));
    }
  }

  private static void grant(
      Connection connection, String namespace, String user, Action... actions) {
    try {
      AccessControlClient.grant(connection, namespace, user, actions);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static void grant(
      Connection connection, TableName table, String user, Action... actions) {
    try {
      AccessControlClient.grant(connection, table, user, null, null, actions);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private interface Work<T> {
    void on(T open) throws Exception;
  }

  private static void as(String user, Work<Connection> work) throws Exception {
    as(user, cluster.configuration(), work);
  }

  private static void as(String user, Configuration configuration, Work<Connection> work)
      throws Exception {
    cluster
        .login(user)
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (Connection open = ConnectionFactory.createConnection(configuration)) {
                    work.on(open);
                  }
                  return null;
                });
  }

  /** The two ways to a spread table. */
  private enum Way {
    DROP_IN {
      @Override
      void put(Connection connection, Put put) throws IOException {
        try (Table table = connection.getTable(TABLE)) {
          table.put(put);
        }
      }

      @Override
      Result get(Connection connection, Get get) throws IOException {
        try (Table table = connection.getTable(TABLE)) {
          return table.get(get);
        }
      }
    },
    SPREAD_TABLES {
      @Override
      void put(Connection connection, Put put) throws IOException {
        try (SpreadTables tables = SpreadTables.on(connection)) {
          open(tables).put(put);
        }
      }

      @Override
      Result get(Connection connection, Get get) throws IOException {
        try (SpreadTables tables = SpreadTables.on(connection)) {
          return open(tables).get(get);
        }
      }

      private SpreadTable open(SpreadTables tables) throws IOException {
        return tables.open(TABLE);
      }
    };

    abstract void put(Connection connection, Put put) throws IOException;

    abstract Result get(Connection connection, Get get) throws IOException;

    Configuration configuration() {
      Configuration configuration = cluster.configuration();
      if (this == DROP_IN) {
        configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
      }
      return configuration;
    }

    void as(String user, Work<Connection> work) throws Exception {
      KerberosIT.as(user, configuration(), work);
    }
  }

  @ParameterizedTest
  @EnumSource
  void usersDoWhatTheyMayThroughEitherConnection(Way way) throws Exception {
    int row = way == Way.DROP_IN ? 10 : 11;
    Get get = new Get(Rows.key(row));
    way.as(WRITER, connection -> way.put(connection, Rows.put(row)));
    way.as(
        READER,
        connection -> {
          assertThat(way.get(connection, get).getValue(Rows.FAMILY, Rows.QUALIFIER))
              .isEqualTo(Rows.value(row));
          assertDenied(READER, "WRITE", () -> way.put(connection, Rows.put(row)));
        });
    way.as(WRITER, connection -> assertDenied(WRITER, "READ", () -> way.get(connection, get)));
    way.as(
        OUTSIDER,
        connection -> {
          assertDenied(OUTSIDER, "READ", () -> way.get(connection, get));
          assertDenied(OUTSIDER, "WRITE", () -> way.put(connection, Rows.put(row)));
        });
  }

  private static void assertDenied(
      String user, String action, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageMatching("(?s).*user[ =]'?" + user + "\\b.*")
        .hasMessageMatching("(?s).*table=(default:)?" + TABLE + "\\b.*")
        .hasMessageContaining("action=" + action);
  }

  private static void registry(String user, Configuration configuration, Work<Registry> work)
      throws Exception {
    cluster
        .login(user)
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (Registry open = Registry.open(configuration)) {
                    work.on(open);
                  }
                  return null;
                });
  }

  private static Plan plan(String layout) {
    return Plan.EMPTY.withLayout(Layout.parse(layout));
  }

  @Test
  void theRegistryIsWrittenByThoseWhoMayAndReadByAll() throws Exception {
    Configuration settings = cluster.configuration();
    settings.set(RegistrySettings.ROOT, "/rights");
    Scope scope = Scope.of(TableName.valueOf("planned"));
    Plan first = plan("salt(2) + id:string");
    registry(OWNER, settings, open -> open.plans().store(scope, first, Versioned.NONE));
    registry(
        OUTSIDER,
        settings,
        open -> {
          assertThat(open.plans().get(scope).value()).isEqualTo(first);
          assertThat(open.plans().get(scope).author()).isEqualTo(OWNER);
          for (Scope other : List.of(scope, Scope.of(TableName.valueOf("other")))) {
            assertThatThrownBy(
                    () -> open.plans().store(other, Plan.EMPTY, open.plans().get(other).version()))
                .isInstanceOf(RegistryException.class)
                .hasMessageContaining("reason=noauth; user 'outsider' may not")
                .hasMessageContaining(RegistrySettings.WRITERS);
          }
        });
    // HBase's superuser may always, and lets another user in by what its configuration says.
    Configuration more = new Configuration(settings);
    more.set(RegistrySettings.WRITERS, WRITER);
    registry(
        ADMIN,
        more,
        open -> assertThat(open.plans().store(scope, first, 0).version()).isEqualTo(1));
    registry(WRITER, settings, open -> open.plans().store(scope, plan("salt(3) + id:string"), 1));
    registry(
        WRITER,
        settings,
        open -> open.plans().store(Scope.of(TableName.valueOf("another")), first, Versioned.NONE));
    registry(OWNER, settings, open -> open.plans().remove(scope, 2));
  }

  @Test
  void nodesAreOfTheirCreatorTheSuperusersAndReadableByAll() throws Exception {
    try (CuratorFramework anonymous =
        CuratorFrameworkFactory.newClient(cluster.quorum(), new RetryOneTime(100))) {
      anonymous.start();
      List<String> nodes = new ArrayList<>();
      for (String node = "/evenkey/tables/default/" + TABLE;
          !node.isEmpty();
          node = node.substring(0, node.lastIndexOf('/'))) {
        nodes.add(node);
      }
      for (String node : nodes) {
        assertThat(anonymous.getACL().forPath(node))
            .as(node)
            .containsExactlyInAnyOrder(
                new ACL(Perms.ALL, new Id("sasl", OWNER)),
                new ACL(Perms.ALL, new Id("sasl", ADMIN)),
                new ACL(Perms.ALL, new Id("sasl", "hbase")),
                Ids.READ_ACL_UNSAFE.get(0));
        assertThatThrownBy(() -> anonymous.setData().forPath(node, new byte[0]))
            .isInstanceOf(KeeperException.NoAuthException.class);
        assertThatThrownBy(() -> anonymous.create().forPath(node + "/squatter"))
            .isInstanceOf(KeeperException.NoAuthException.class);
      }
    }
  }

  @Test
  void commandsWorkAsTheUserOfAKeytab() throws Exception {
    Evenkey.as(OWNER, cluster, "plan", "by_command", "--layout", Rows.LAYOUT, "--families", "d")
        .done();
    Evenkey.as(OWNER, cluster, "create", "by_command").done();
    Evenkey outsider = Evenkey.as(OUTSIDER, cluster, "get", "by_command", "id=00000001");
    assertThat(outsider.exit()).isEqualTo(1);
    assertThat(outsider.err())
        .contains("evenkey: access denied: user=outsider action=READ table=by_command; ")
        .doesNotContain("\tat ");
    Evenkey planner =
        Evenkey.as(
            OUTSIDER, cluster, "plan", "by_outsider", "--layout", Rows.LAYOUT, "--families", "d");
    assertThat(planner.exit()).isEqualTo(1);
    assertThat(planner.err())
        .contains("reason=noauth; user 'outsider' may not")
        .doesNotContain("\tat ");
  }

  /** As an owner gives them, one after the other: each needs what the ones before have made. */
  @Test
  @Tag("full")
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void eachCommandWorksByAKey() throws Exception {
    Path csv =
        Files.writeString(directory.resolve("records.csv"), "id,v\n00000001,a\n00000002,b\n");
    Path queries = Files.writeString(directory.resolve("queries.txt"), "id = ?\n");
    String out = directory.resolve("out.csv").toString();
    String checkpoint = directory.resolve("checkpoint").toString();
    for (List<String> command :
        List.of(
            List.of("plan", "each", "--layout", Rows.LAYOUT, "--families", "d"),
            List.of("create", "each"),
            List.of("import", "each", "--csv", csv.toString(), "--checkpoint", checkpoint),
            List.of("put", "each", "id=00000003", "d:v=c"),
            List.of("get", "each", "id=00000003"),
            List.of("scan", "each"),
            List.of("count", "each"),
            List.of("export", "each", "--out", out),
            List.of("verify", "each"),
            List.of("heat", "each", "--once"),
            List.of("server", "status"),
            List.of("advise", "--table", "each", "--sample", "1", "--queries", queries.toString()),
            List.of(
                "migrate",
                "each",
                "--yes",
                "--layout",
                "salt(5) + id:digits(8)",
                "--by",
                "puts",
                "--switch",
                "--finish",
                "--work",
                "/user/" + OWNER + "/work"),
            List.of("migrate", "each", "--status"),
            List.of("verify", "each"))) {
      Evenkey owner = Evenkey.as(OWNER, cluster, command.toArray(String[]::new));
      assertThat(owner.exit()).as("%s by the owner: %s", command, owner.err()).isZero();
      // These show what all users may read: HBase's counters, and the registry.
      boolean isForAll =
          List.of("heat", "server").contains(command.get(0)) || command.contains("--status");
      if (!isForAll) {
        Evenkey outsider = Evenkey.as(OUTSIDER, cluster, command.toArray(String[]::new));
        assertThat(outsider.exit())
            .as("%s by an outsider: %s", command, outsider.out())
            .isNotZero();
        assertThat(outsider.err()).as("%s", command).doesNotContain("\tat ");
      }
    }
    assertThat(Evenkey.as(OWNER, cluster, "count", "each").done().out()).contains("3");
  }

  @Test
  void commandsWorkByATicketCache() throws Exception {
    // What kinit leaves.
    KrbClient kinit = new KrbClient();
    kinit.setKdcRealm(Kerberos.REALM);
    kinit.setKdcHost("127.0.0.1");
    kinit.setKdcTcpPort(cluster.port(Member.of(Role.KDC)));
    kinit.setAllowUdp(false);
    kinit.init();
    Path cache = directory.resolve("tickets");
    kinit.storeTicket(
        kinit.requestTgt(Kerberos.user(OWNER), cluster.keytab().toFile()), cache.toFile());
    Evenkey.withTickets(
            cluster, cache, "plan", "by_ticket", "--layout", Rows.LAYOUT, "--families", "d")
        .done();
    Evenkey.withTickets(cluster, cache, "create", "by_ticket").done();
  }

  @Test
  @Tag("full")
  void thePortalOutlivesItsTicket() throws Exception {
    as(OWNER, connection -> grant(connection, TABLE, PORTAL, Action.CREATE));
    Path brief = directory.resolve("krb5.conf");
    Files.writeString(
        brief,
        Files.readString(cluster.krb5())
            .replace("[libdefaults]", "[libdefaults]\n  ticket_lifetime = 35s"));
    try (PortalProcess portal = PortalProcess.start(cluster, brief, PORTAL)) {
      assertThat(portal.get("api/tables").body()).contains(TABLE.getNameAsString());
      await()
          .atMost(Duration.ofMinutes(3))
          .untilAsserted(() -> assertThat(logins(PORTAL)).isGreaterThanOrEqualTo(2));
      // New connections are made, by tickets of the second login.
      cluster.restart(Member.regionServer(1));
      assertThat(portal.get("api/tables").body()).contains(TABLE.getNameAsString());
    }
  }

  @Test
  void thePortalActsForThePersonWhomAProxyNames() throws Exception {
    String table = "api/tables/" + TABLE;
    try (PortalProcess portal = PortalProcess.start(cluster, cluster.krb5(), PORTAL)) {
      assertThat(portal.get(table, OWNER).status()).isEqualTo(200);
      PortalProcess.Answer outsider = portal.get(table, OUTSIDER);
      assertThat(outsider.status()).isEqualTo(403);
      assertThat(outsider.body()).contains("access denied: user=" + OUTSIDER);
      assertThat(portal.get(table, "hbase/localhost").status()).isEqualTo(403);
    }
  }

  // How often a user has got a ticket for tickets.
  private static long logins(String user) throws IOException {
    try (Stream<String> lines = Files.lines(cluster.log(Member.of(Role.KDC)))) {
      return lines
          .filter(line -> line.contains("AS_REQ ISSUE") && line.contains(Kerberos.user(user)))
          .count();
    }
  }

  @Test
  void aCommandWithoutATicketSaysWhatToDo() throws Exception {
    Evenkey anonymous = Evenkey.without(cluster, "scan", TABLE.getNameAsString());
    assertThat(anonymous.exit()).isEqualTo(1);
    assertThat(anonymous.err())
        .contains("evenkey: not authenticated: user=" + System.getProperty("user.name"))
        .contains("kinit")
        .doesNotContain("\tat ");
  }
}
