/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import io.evenkey.client.failure.RegistryException;
import io.evenkey.client.internal.zookeeper.LoginSection;
import io.evenkey.client.internal.zookeeper.NodeRights;
import io.evenkey.client.internal.zookeeper.RegistrySettings;
import io.evenkey.client.internal.zookeeper.ZooKeeperHosts;
import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.security.User;
import org.jspecify.annotations.Nullable;

/**
 * The registry: plans, recorded layouts, migrations and the work on indexes, in ZooKeeper.
 * docs/registry.md has its nodes. It has one session with ZooKeeper, which it closes. Thread-safe.
 *
 * <pre>{@code
 * try (Registry registry = Registry.open(configuration)) {
 *   Versioned<Plan> plan = registry.plans().get(Scope.of(table));
 * }
 * }</pre>
 */
public final class Registry implements AutoCloseable {
  private final RegistryNodes store;
  private final @Nullable LoginSection login;
  private final PlanStore plans;
  private final LayoutStore layouts;
  private final MigrationStore migrations;
  private final IndexStore indexes;

  private Registry(RegistryNodes store, @Nullable LoginSection login) {
    this.store = store;
    this.login = login;
    this.plans = new PlanStore(store);
    this.layouts = new LayoutStore(store);
    this.migrations = new MigrationStore(store);
    this.indexes = new IndexStore(store);
  }

  /**
   * Connects by the settings of {@link RegistrySettings}.
   *
   * @throws RegistryException if ZooKeeper does not answer in time, or the registry was written by
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
          new RegistryNodes(
              RegistrySettings.client(configuration, rights, login),
              rights,
              Nodes.of(configuration),
              place,
              User.getCurrent().getShortName(),
              Clock.systemUTC()),
          login);
    } catch (IOException e) {
      throw new RegistryException("registry could not be opened: registry=" + place, e);
    }
  }

  private void connect(Configuration configuration) throws RegistryException, InterruptedException {
    store.client().start();
    int timeoutMs = RegistrySettings.timeoutMs(configuration);
    if (!store.client().blockUntilConnected(timeoutMs, TimeUnit.MILLISECONDS)) {
      throw ZooKeeperHosts.silent(RegistrySettings.quorum(configuration), store.place(), timeoutMs);
    }
    store.read(store.nodes().root());
  }

  /** Servers and root node. */
  @Override
  public String toString() {
    return store.place();
  }

  /** Plans of tables and namespaces. */
  public PlanStore plans() {
    return plans;
  }

  /** Recorded layouts of tables. */
  public LayoutStore layouts() {
    return layouts;
  }

  /** Migrations of tables. */
  public MigrationStore migrations() {
    return migrations;
  }

  /** The work of commands on indexes. */
  public IndexStore indexes() {
    return indexes;
  }

  @Override
  public void close() {
    store.client().close();
    if (login != null) {
      login.close();
    }
  }
}
