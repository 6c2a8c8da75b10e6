/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import io.evenkey.client.failure.PlanConflictException;
import io.evenkey.client.failure.RegistryException;
import io.evenkey.client.plan.Plan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.hadoop.hbase.TableName;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;

/**
 * The plans of tables and namespaces, with their last versions. A version counts from 0 on. A
 * removed plan leaves an empty one behind, so that a version is never given twice. Thread-safe.
 */
public final class PlanStore {
  /** The number of versions of a plan that are kept. */
  public static final int HISTORY = 20;

  private final RegistryNodes store;

  PlanStore(RegistryNodes store) {
    this.store = store;
  }

  /** The plan that was stored for exactly this scope; {@link Plan#EMPTY} if none was. */
  public Versioned<Plan> get(Scope scope) throws RegistryException {
    return planAt(store.nodes().plan(scope));
  }

  /** A table's plan, with the namespace's values where the table's plan has none. */
  public Plan effective(TableName table) throws RegistryException {
    Plan own = get(Scope.of(table)).value();
    return own.over(get(Scope.namespaceOf(table)).value());
  }

  /** All plans that are not empty, namespaces first. */
  public Map<Scope, Versioned<Plan>> all() throws RegistryException {
    Map<Scope, Versioned<Plan>> all = new TreeMap<>(Scopes.ORDER);
    for (String namespace : store.children(store.nodes().namespacePlans())) {
      addPlan(all, new Scope.Namespace(namespace));
    }
    for (String namespace : store.children(store.nodes().tablePlans())) {
      for (String table : store.children(store.nodes().tablePlans() + "/" + namespace)) {
        addPlan(all, Scope.of(TableName.valueOf(namespace, table)));
      }
    }
    return Collections.unmodifiableMap(all);
  }

  private void addPlan(Map<Scope, Versioned<Plan>> all, Scope scope) throws RegistryException {
    Versioned<Plan> plan = get(scope);
    if (!plan.value().isEmpty()) {
      all.put(scope, plan);
    }
  }

  /** The last versions of a plan, at most {@value #HISTORY}, the newest first. */
  public List<Versioned<Plan>> history(Scope scope) throws RegistryException {
    String node = store.nodes().plan(scope);
    List<Versioned<Plan>> versions = new ArrayList<>();
    for (String change : changes(node)) {
      Optional<RegistryNodes.Stored> stored = store.read(node + "/" + change);
      if (stored.isPresent()) {
        versions.add(RegistryJson.plan(stored.get().json(), node + "/" + change));
      }
    }
    Collections.reverse(versions);
    return versions;
  }

  /**
   * Stores a plan as the version that follows the one which was read.
   *
   * @param version of the plan that this was made from; {@link Versioned#NONE} if there was none
   * @return the new version
   * @throws PlanConflictException if that is not the current version; nothing is stored then
   * @throws RegistryException if it could not be stored; or, with the connection lost at the wrong
   *     moment, it is not known whether it was
   */
  public Versioned<Plan> store(Scope scope, Plan plan, int version) throws RegistryException {
    if (scope.isSystem()) {
      throw new RegistryException(
          "HBase's own tables have no plans: plan=" + scope + "; name a table of an application");
    }
    String node = store.nodes().plan(scope);
    Versioned<Plan> stored = new Versioned<>(plan, version + 1, store.author(), store.now());
    byte[] json = RegistryJson.bytes(RegistryJson.of(stored));
    try {
      store.prepare(node);
      List<CuratorOp> steps = new ArrayList<>();
      if (version == Versioned.NONE) {
        steps.add(store.client().transactionOp().create().forPath(node, json));
      } else {
        steps.add(
            store.client().transactionOp().setData().withVersion(version).forPath(node, json));
      }
      steps.add(
          store
              .client()
              .transactionOp()
              .create()
              .withMode(CreateMode.PERSISTENT_SEQUENTIAL)
              .forPath(node + "/" + Nodes.CHANGE, json));
      store.client().transaction().forOperations(steps);
    } catch (KeeperException.NodeExistsException
        | KeeperException.BadVersionException
        | KeeperException.NoNodeException e) {
      Versioned<Plan> found = get(scope);
      throw new PlanConflictException(
          scope instanceof Scope.Table named ? named.name() : null,
          scope.toString(),
          version,
          found.version(),
          found.author());
    } catch (Exception e) {
      throw store.failed("plan could not be stored", node, e);
    }
    trimHistory(node);
    return stored;
  }

  /** Removes a plan, if it is still the version that was read; see {@link #store}. */
  public void remove(Scope scope, int version) throws RegistryException {
    store(scope, Plan.EMPTY, version);
  }

  // Clients that trim at the same time trim the same.
  private void trimHistory(String node) throws RegistryException {
    List<String> changes = changes(node);
    for (String change : changes.subList(0, Math.max(0, changes.size() - HISTORY))) {
      try {
        store.client().delete().quietly().forPath(node + "/" + change);
      } catch (Exception e) {
        throw store.failed("old version of a plan could not be removed", node + "/" + change, e);
      }
    }
  }

  private List<String> changes(String node) throws RegistryException {
    return store.children(node).stream()
        .filter(name -> name.startsWith(Nodes.CHANGE))
        .sorted()
        .toList();
  }

  private Versioned<Plan> planAt(String node) throws RegistryException {
    Optional<RegistryNodes.Stored> stored = store.read(node);
    if (stored.isEmpty()) {
      return Versioned.never(Plan.EMPTY);
    }
    Versioned<Plan> plan = RegistryJson.plan(stored.get().json(), node);
    // What counts is how often ZooKeeper has seen it change, by any store.client().
    return new Versioned<>(plan.value(), stored.get().version(), plan.author(), plan.at());
  }
}
