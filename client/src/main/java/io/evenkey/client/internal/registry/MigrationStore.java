/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import io.evenkey.client.failure.MigrationConflictException;
import io.evenkey.client.failure.RegistryException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.zookeeper.KeeperException;

/**
 * The last migration of each table, and the lock of the process that migrates a table or changes
 * its indexes. Thread-safe.
 */
public final class MigrationStore {
  private final RegistryNodes store;

  MigrationStore(RegistryNodes store) {
    this.store = store;
  }

  /** The last migration of a table. */
  public Optional<Versioned<Migration>> get(TableName table) throws RegistryException {
    String node = store.nodes().migration(table);
    catchUp(node);
    Optional<RegistryNodes.Stored> stored = store.read(node, MigrationJson.FORMAT);
    if (stored.isEmpty()) {
      return Optional.empty();
    }
    Migration migration = MigrationJson.parse(stored.get().json(), table, node);
    return Optional.of(
        new Versioned<>(migration, stored.get().version(), store.author(), migration.since()));
  }

  // A server of ZooKeeper may be behind the others: a client that was refused, because a migration
  // has left a generation, has to see that.
  private void catchUp(String node) throws RegistryException {
    try {
      store.client().sync().forPath(node);
    } catch (Exception e) {
      throw store.failed("registry could not be read", node, e);
    }
  }

  /** The generation that clients use for a table's name. */
  public TableName generation(TableName table) throws RegistryException {
    return get(table).map(migration -> migration.value().generation()).orElse(table);
  }

  /** The last migration of each table that has had one. */
  public List<Migration> all() throws RegistryException {
    List<Migration> all = new ArrayList<>();
    for (String namespace : store.children(store.nodes().migrations())) {
      for (String table : store.children(store.nodes().migrations() + "/" + namespace)) {
        get(TableName.valueOf(namespace, table)).ifPresent(migration -> all.add(migration.value()));
      }
    }
    return all;
  }

  /**
   * Stores a migration instead of the version that was read.
   *
   * @param version that was read; {@link Versioned#NONE} if there was none
   * @return the new version
   * @throws MigrationConflictException if that is not the current version; nothing is stored then
   * @throws RegistryException if it could not be stored; or, with the connection lost at the wrong
   *     moment, it is not known whether it was
   */
  public int store(Migration migration, int version) throws RegistryException {
    String node = store.nodes().migration(migration.table());
    byte[] json = RegistryJson.bytes(MigrationJson.of(migration));
    try {
      store.prepare(node);
      if (version == Versioned.NONE) {
        store.client().create().forPath(node, json);
        return 0;
      }
      return store.client().setData().withVersion(version).forPath(node, json).getVersion();
    } catch (KeeperException.NodeExistsException
        | KeeperException.BadVersionException
        | KeeperException.NoNodeException e) {
      throw new MigrationConflictException(migration.table());
    } catch (Exception e) {
      throw store.failed("migration could not be stored", node, e);
    }
  }

  /**
   * Locks a table against other processes that would migrate it or change its indexes, until the
   * lock is closed or this process has ended.
   *
   * @param work what this process does, for the refusal of others: {@code migrate}, {@code index
   *     add NAME}
   * @throws MigrationConflictException if another process has the lock; it says what that one does
   */
  public AutoCloseable lock(TableName table, String work, Duration atMost)
      throws RegistryException {
    String node = store.nodes().migrator(table);
    TableLock lock = new TableLock(store.client(), node);
    try {
      store.prepare(node);
      AutoCloseable taken = lock.take(work, store.author(), atMost);
      if (taken == null) {
        throw MigrationConflictException.ofLock(table, lock.holder());
      }
      return taken;
    } catch (Exception e) {
      throw store.failed("table could not be locked", node, e);
    }
  }

  /** The process that has the lock of a table, as name=value pairs; empty if none has. */
  public String holder(TableName table) throws RegistryException {
    String node = store.nodes().migrator(table);
    try {
      return new TableLock(store.client(), node).holder();
    } catch (KeeperException.NoNodeException e) {
      return "";
    } catch (Exception e) {
      throw store.failed("lock of a table could not be read", node, e);
    }
  }

  /** Removes the migration of a table that was dropped. */
  public void forget(TableName table) throws RegistryException {
    String node = store.nodes().migration(table);
    try {
      store.client().delete().quietly().forPath(node);
    } catch (Exception e) {
      throw store.failed("record of a migration could not be removed", node, e);
    }
  }
}
