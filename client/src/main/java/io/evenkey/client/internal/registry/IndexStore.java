/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import io.evenkey.client.failure.RegistryException;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;

/**
 * What commands have done with the indexes of tables. A command that changes it holds the lock of
 * the table's migrations. Thread-safe.
 */
public final class IndexStore {
  private final RegistryNodes store;

  IndexStore(RegistryNodes store) {
    this.store = store;
  }

  /** The work on an index; empty if no command has added it. */
  public Optional<IndexWork> get(TableName table, String index) throws RegistryException {
    String node = store.nodes().index(table, index);
    Optional<RegistryNodes.Stored> stored = store.read(node);
    return stored.isEmpty()
        ? Optional.empty()
        : Optional.of(IndexJson.parse(stored.get().json(), table, index, node));
  }

  /** Stores the work on an index, and replaces what was stored. */
  public void store(IndexWork work) throws RegistryException {
    String node = store.nodes().index(work.table(), work.index());
    try {
      store.prepare(node);
      store
          .client()
          .create()
          .orSetData()
          .creatingParentsIfNeeded()
          .forPath(node, RegistryJson.bytes(IndexJson.of(work)));
    } catch (Exception e) {
      throw store.failed("work on an index could not be stored", node, e);
    }
  }

  /** Removes the work on an index that was dropped. */
  public void forget(TableName table, String index) throws RegistryException {
    String node = store.nodes().index(table, index);
    try {
      store.client().delete().quietly().forPath(node);
    } catch (Exception e) {
      throw store.failed("work on an index could not be removed", node, e);
    }
  }
}
