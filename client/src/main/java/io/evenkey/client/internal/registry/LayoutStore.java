/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import io.evenkey.client.failure.RegistryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.zookeeper.KeeperException;

/** The recorded layouts of existing tables. Thread-safe. */
public final class LayoutStore {
  private final RegistryNodes store;

  LayoutStore(RegistryNodes store) {
    this.store = store;
  }

  /** The recorded layout of a table. */
  public Optional<LayoutRecord> get(TableName table) throws RegistryException {
    String node = store.nodes().layout(table);
    Optional<RegistryNodes.Stored> stored = store.read(node);
    return stored.isEmpty()
        ? Optional.empty()
        : Optional.of(RegistryJson.layout(stored.get().json(), table, node));
  }

  /** All recorded layouts, by table. */
  public List<LayoutRecord> all() throws RegistryException {
    List<LayoutRecord> all = new ArrayList<>();
    for (String namespace : store.children(store.nodes().tables())) {
      for (String table : store.children(store.nodes().tables() + "/" + namespace)) {
        get(TableName.valueOf(namespace, table)).ifPresent(all::add);
      }
    }
    return all;
  }

  /**
   * Records the layout of a table if none is recorded.
   *
   * @return the record that is stored now
   */
  public LayoutRecord recordFirst(TableName table, String layout) throws RegistryException {
    String node = store.nodes().layout(table);
    LayoutRecord record = new LayoutRecord(table, layout, "", false, store.now());
    try {
      store.prepare(node);
      store.client().create().forPath(node, RegistryJson.bytes(RegistryJson.of(record)));
      return record;
    } catch (KeeperException.NodeExistsException e) {
      return get(table).orElse(record);
    } catch (Exception e) {
      throw store.failed("layout could not be recorded", node, e);
    }
  }

  /**
   * Records the layout of a table without indexes, which has the row key that it was created with,
   * and replaces an earlier record.
   */
  public void record(TableName table, String layout) throws RegistryException {
    record(table, layout, "", false);
  }

  /**
   * Records the layout of a table, and replaces an earlier record.
   *
   * @param indexes the text of its indexes; empty if it has none
   * @param keyChanged whether a migration has given the table another row key
   */
  public void record(TableName table, String layout, String indexes, boolean keyChanged)
      throws RegistryException {
    String node = store.nodes().layout(table);
    LayoutRecord record = new LayoutRecord(table, layout, indexes, keyChanged, store.now());
    try {
      store.prepare(node);
      store
          .client()
          .create()
          .orSetData()
          .creatingParentsIfNeeded()
          .forPath(node, RegistryJson.bytes(RegistryJson.of(record)));
    } catch (Exception e) {
      throw store.failed("layout could not be recorded", node, e);
    }
  }

  /** Removes the record of a table that was dropped, or that has no layout any more. */
  public void forget(TableName table) throws RegistryException {
    String node = store.nodes().layout(table);
    try {
      store.client().delete().quietly().forPath(node);
    } catch (Exception e) {
      throw store.failed("record of a layout could not be removed", node, e);
    }
  }
}
