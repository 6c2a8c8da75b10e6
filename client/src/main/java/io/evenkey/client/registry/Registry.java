package io.evenkey.client.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.evenkey.client.zookeeper.LoginSection;
import io.evenkey.client.zookeeper.NodeRights;
import io.evenkey.client.zookeeper.RegistryException;
import io.evenkey.client.zookeeper.RegistrySettings;
import io.evenkey.client.zookeeper.ZooKeeperHosts;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreMutex;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.security.User;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Plans, the layouts in force and migrations, in ZooKeeper; where they are is in
 * docs/operations.md. One session with ZooKeeper, opened with this and closed with it. Thread-safe.
 *
 * <p>Stored plans have a version that counts from 0 on. A plan that is taken away leaves an empty
 * one behind, so that a version is never given twice.
 */
public final class Registry implements AutoCloseable {
  /** How many versions of a plan are kept. */
  public static final int HISTORY = 20;

  private final CuratorFramework client;
  private final @Nullable LoginSection login;
  private final NodeRights rights;
  private final Nodes nodes;
  private final String place;
  private final String author;
  private final Clock clock;

  private Registry(
      CuratorFramework client,
      @Nullable LoginSection login,
      NodeRights rights,
      Nodes nodes,
      String place,
      String author,
      Clock clock) {
    this.client = client;
    this.login = login;
    this.rights = rights;
    this.nodes = nodes;
    this.place = place;
    this.author = author;
    this.clock = clock;
  }

  /**
   * Connects, as {@link RegistrySettings} has it.
   *
   * @throws RegistryException if ZooKeeper does not answer in time, or what is there was written by
   *     a later version
   */
  public static Registry open(Configuration configuration) throws RegistryException {
    String place = RegistrySettings.quorum(configuration) + Nodes.of(configuration).root();
    Registry registry = unconnected(configuration, place);
    try {
      registry.connect(configuration);
      return registry;
    } catch (RegistryException e) {
      registry.close();
      throw e;
    } catch (InterruptedException e) {
      registry.close();
      Thread.currentThread().interrupt();
      throw new RegistryException("interrupted while connecting: registry=" + place, e);
    }
  }

  private static Registry unconnected(Configuration configuration, String place)
      throws RegistryException {
    try {
      NodeRights rights = NodeRights.of(configuration);
      LoginSection login = RegistrySettings.login(configuration);
      return new Registry(
          RegistrySettings.client(configuration, rights, login),
          login,
          rights,
          Nodes.of(configuration),
          place,
          User.getCurrent().getShortName(),
          Clock.systemUTC());
    } catch (IOException e) {
      throw new RegistryException("registry could not be opened: registry=" + place, e);
    }
  }

  private void connect(Configuration configuration) throws RegistryException, InterruptedException {
    client.start();
    int timeoutMs = RegistrySettings.timeoutMs(configuration);
    if (!client.blockUntilConnected(timeoutMs, TimeUnit.MILLISECONDS)) {
      throw ZooKeeperHosts.silent(RegistrySettings.quorum(configuration), place, timeoutMs);
    }
    read(nodes.root());
  }

  /** Where it is: servers and root node. */
  @Override
  public String toString() {
    return place;
  }

  /** What was stored for exactly this scope; {@link Plan#EMPTY} if nothing. */
  public Versioned<Plan> plan(Scope scope) throws RegistryException {
    return planAt(nodes.plan(scope));
  }

  /** What holds for a table: its plan, with what it leaves open as in its namespace's. */
  public Plan planFor(TableName table) throws RegistryException {
    Plan own = plan(Scope.of(table)).value();
    return own.over(plan(Scope.namespaceOf(table)).value());
  }

  /** All plans that are not empty, namespaces first. */
  public Map<Scope, Versioned<Plan>> plans() throws RegistryException {
    Map<Scope, Versioned<Plan>> all = new TreeMap<>(Scopes.ORDER);
    for (String namespace : children(nodes.namespacePlans())) {
      addPlan(all, new Scope.Namespace(namespace));
    }
    for (String namespace : children(nodes.tablePlans())) {
      for (String table : children(nodes.tablePlans() + "/" + namespace)) {
        addPlan(all, Scope.of(TableName.valueOf(namespace, table)));
      }
    }
    return Collections.unmodifiableMap(all);
  }

  private void addPlan(Map<Scope, Versioned<Plan>> all, Scope scope) throws RegistryException {
    Versioned<Plan> plan = plan(scope);
    if (!plan.value().isEmpty()) {
      all.put(scope, plan);
    }
  }

  /** The last versions of a plan, at most {@value #HISTORY}, the newest first. */
  public List<Versioned<Plan>> history(Scope scope) throws RegistryException {
    String node = nodes.plan(scope);
    List<Versioned<Plan>> versions = new ArrayList<>();
    for (String change : changes(node)) {
      Optional<Stored> stored = read(node + "/" + change);
      if (stored.isPresent()) {
        versions.add(RegistryJson.plan(stored.get().json(), node + "/" + change));
      }
    }
    Collections.reverse(versions);
    return versions;
  }

  /**
   * Stores a plan in place of the version that was read.
   *
   * @param version of the plan that this was made from; {@link Versioned#NONE} if there was none
   * @return the new version
   * @throws PlanConflictException if that is not the version there is now; nothing is stored then
   * @throws RegistryException if it could not be stored; or, with the connection lost at the wrong
   *     moment, it is not known whether it was
   */
  public Versioned<Plan> store(Scope scope, Plan plan, int version) throws RegistryException {
    if (scope.isSystem()) {
      throw new RegistryException(
          "HBase's own tables have no plans: plan=" + scope + "; name a table of an application");
    }
    String node = nodes.plan(scope);
    Versioned<Plan> stored = new Versioned<>(plan, version + 1, author, clock.instant());
    byte[] json = RegistryJson.bytes(RegistryJson.of(stored));
    try {
      prepare(node);
      List<CuratorOp> steps = new ArrayList<>();
      if (version == Versioned.NONE) {
        steps.add(client.transactionOp().create().forPath(node, json));
      } else {
        steps.add(client.transactionOp().setData().withVersion(version).forPath(node, json));
      }
      steps.add(
          client
              .transactionOp()
              .create()
              .withMode(CreateMode.PERSISTENT_SEQUENTIAL)
              .forPath(node + "/" + Nodes.CHANGE, json));
      client.transaction().forOperations(steps);
    } catch (KeeperException.NodeExistsException
        | KeeperException.BadVersionException
        | KeeperException.NoNodeException e) {
      throw new PlanConflictException(scope, version, plan(scope));
    } catch (Exception e) {
      throw failed("plan could not be stored", node, e);
    }
    trimHistory(node);
    return stored;
  }

  /** Takes a plan away, if it is still the version that was read; see {@link #store}. */
  public void remove(Scope scope, int version) throws RegistryException {
    store(scope, Plan.EMPTY, version);
  }

  // Clients that trim at the same time trim the same.
  private void trimHistory(String node) throws RegistryException {
    List<String> changes = changes(node);
    for (String change : changes.subList(0, Math.max(0, changes.size() - HISTORY))) {
      try {
        client.delete().quietly().forPath(node + "/" + change);
      } catch (Exception e) {
        throw failed("old version of a plan could not be removed", node + "/" + change, e);
      }
    }
  }

  private List<String> changes(String node) throws RegistryException {
    return children(node).stream().filter(name -> name.startsWith(Nodes.CHANGE)).sorted().toList();
  }

  /** The layout that a table's rows are written under, as recorded here. */
  public Optional<LayoutRecord> inForce(TableName table) throws RegistryException {
    String node = nodes.inForce(table);
    Optional<Stored> stored = read(node);
    return stored.isEmpty()
        ? Optional.empty()
        : Optional.of(RegistryJson.inForce(stored.get().json(), table, node));
  }

  /** All recorded layouts, by table. */
  public List<LayoutRecord> inForce() throws RegistryException {
    List<LayoutRecord> all = new ArrayList<>();
    for (String namespace : children(nodes.tables())) {
      for (String table : children(nodes.tables() + "/" + namespace)) {
        inForce(TableName.valueOf(namespace, table)).ifPresent(all::add);
      }
    }
    return all;
  }

  /**
   * Records the layout of a table if none is recorded.
   *
   * @return what is recorded now
   */
  public LayoutRecord recordFirst(TableName table, String layout) throws RegistryException {
    String node = nodes.inForce(table);
    LayoutRecord record = new LayoutRecord(table, layout, clock.instant());
    try {
      prepare(node);
      client.create().forPath(node, RegistryJson.bytes(RegistryJson.of(record)));
      return record;
    } catch (KeeperException.NodeExistsException e) {
      return inForce(table).orElse(record);
    } catch (Exception e) {
      throw failed("layout could not be recorded", node, e);
    }
  }

  /** Records the layout of a table, whatever was recorded before. */
  public void record(TableName table, String layout) throws RegistryException {
    String node = nodes.inForce(table);
    LayoutRecord record = new LayoutRecord(table, layout, clock.instant());
    try {
      prepare(node);
      client
          .create()
          .orSetData()
          .creatingParentsIfNeeded()
          .forPath(node, RegistryJson.bytes(RegistryJson.of(record)));
    } catch (Exception e) {
      throw failed("layout could not be recorded", node, e);
    }
  }

  /** Forgets the layout of a table: it is gone, or has none any more. */
  public void forget(TableName table) throws RegistryException {
    String node = nodes.inForce(table);
    try {
      client.delete().quietly().forPath(node);
    } catch (Exception e) {
      throw failed("record of a layout could not be removed", node, e);
    }
  }

  /** The last migration of a table. */
  public Optional<Versioned<Migration>> migration(TableName table) throws RegistryException {
    String node = nodes.migration(table);
    catchUp(node);
    Optional<Stored> stored = read(node);
    if (stored.isEmpty()) {
      return Optional.empty();
    }
    Migration migration = RegistryJson.migration(stored.get().json(), table, node);
    return Optional.of(
        new Versioned<>(migration, stored.get().version(), author, migration.since()));
  }

  // A server of ZooKeeper may be behind the others: a client that was refused, because a migration
  // has left a generation, has to see that.
  private void catchUp(String node) throws RegistryException {
    try {
      client.sync().forPath(node);
    } catch (Exception e) {
      throw failed("registry could not be read", node, e);
    }
  }

  /** The generation that a table's name stands for: what is read of it now. */
  public TableName generation(TableName table) throws RegistryException {
    return migration(table).map(migration -> migration.value().generation()).orElse(table);
  }

  /** The last migration of each table that has had one. */
  public List<Migration> migrations() throws RegistryException {
    List<Migration> all = new ArrayList<>();
    for (String namespace : children(nodes.migrations())) {
      for (String table : children(nodes.migrations() + "/" + namespace)) {
        migration(TableName.valueOf(namespace, table))
            .ifPresent(migration -> all.add(migration.value()));
      }
    }
    return all;
  }

  /**
   * Stores a migration in place of the version that was read.
   *
   * @param version that was read; {@link Versioned#NONE} if there was none
   * @return the new version
   * @throws MigrationConflictException if that is not the version there is now; nothing is stored
   *     then
   * @throws RegistryException if it could not be stored; or, with the connection lost at the wrong
   *     moment, it is not known whether it was
   */
  public int store(Migration migration, int version) throws RegistryException {
    String node = nodes.migration(migration.table());
    byte[] json = RegistryJson.bytes(RegistryJson.of(migration));
    try {
      prepare(node);
      if (version == Versioned.NONE) {
        client.create().forPath(node, json);
        return 0;
      }
      return client.setData().withVersion(version).forPath(node, json).getVersion();
    } catch (KeeperException.NodeExistsException
        | KeeperException.BadVersionException
        | KeeperException.NoNodeException e) {
      throw new MigrationConflictException(migration.table());
    } catch (Exception e) {
      throw failed("migration could not be stored", node, e);
    }
  }

  /**
   * Makes sure that no other process migrates a table until this is closed, or this process is gone
   * for good.
   *
   * @throws MigrationConflictException if another one does
   */
  public AutoCloseable lockMigration(TableName table, Duration atMost) throws RegistryException {
    String node = nodes.migrator(table);
    InterProcessSemaphoreMutex mutex = new InterProcessSemaphoreMutex(client, node);
    try {
      prepare(node);
      if (!mutex.acquire(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new MigrationConflictException(table);
      }
      return mutex::release;
    } catch (Exception e) {
      throw failed("migration could not be locked", node, e);
    }
  }

  /** Forgets the last migration of a table: it is gone. */
  public void forgetMigration(TableName table) throws RegistryException {
    String node = nodes.migration(table);
    try {
      client.delete().quietly().forPath(node);
    } catch (Exception e) {
      throw failed("record of a migration could not be removed", node, e);
    }
  }

  @Override
  public void close() {
    client.close();
    if (login != null) {
      login.close();
    }
  }

  void prepare(String node) throws Exception {
    if (read(nodes.root()).isEmpty()) {
      try {
        client
            .create()
            .creatingParentsIfNeeded()
            .forPath(nodes.root(), RegistryJson.bytes(RegistryJson.object()));
      } catch (KeeperException.NodeExistsException e) {
        // Another client was faster.
      }
    }
    client.createContainers(node.substring(0, node.lastIndexOf('/')));
    for (int end = nodes.root().length(); end > 0; end = node.indexOf('/', end + 1)) {
      rights.extend(client, node.substring(0, end));
    }
    rights.extend(client, node);
  }

  private record Stored(ObjectNode json, int version) {}

  private Versioned<Plan> planAt(String node) throws RegistryException {
    Optional<Stored> stored = read(node);
    if (stored.isEmpty()) {
      return Versioned.never(Plan.EMPTY);
    }
    Versioned<Plan> plan = RegistryJson.plan(stored.get().json(), node);
    // What counts is how often ZooKeeper has seen it change, by any client.
    return new Versioned<>(plan.value(), stored.get().version(), plan.author(), plan.at());
  }

  private Optional<Stored> read(String node) throws RegistryException {
    try {
      Stat stat = new Stat();
      byte[] data = client.getData().storingStatIn(stat).forPath(node);
      return Optional.of(new Stored(RegistryJson.object(data, node), stat.getVersion()));
    } catch (KeeperException.NoNodeException e) {
      return Optional.empty();
    } catch (Exception e) {
      throw failed("registry could not be read", node, e);
    }
  }

  private List<String> children(String node) throws RegistryException {
    try {
      return client.getChildren().forPath(node);
    } catch (KeeperException.NoNodeException e) {
      return List.of();
    } catch (Exception e) {
      throw failed("registry could not be read", node, e);
    }
  }

  RegistryException failed(String what, String node, Exception e) {
    if (e instanceof RegistryException known) {
      return known;
    }
    if (e instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    String why =
        e instanceof KeeperException keeper
            ? keeper.code().name().toLowerCase(Locale.ROOT)
            : String.valueOf(e.getMessage());
    String remedy =
        e instanceof KeeperException.NoAuthException
            ? "user '"
                + author
                + "' may not: the node's creator, HBase's superusers and the users in "
                + RegistrySettings.WRITERS
                + " may; log in as one of them, or have a superuser add this user there"
            : "check ZooKeeper, then try again";
    return new RegistryException(
        what + ": registry=" + place + " node=" + node + " reason=" + why + "; " + remedy, e);
  }
}
