/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.failure.MigrationConflictException;
import io.evenkey.client.failure.RegistryException;
import io.evenkey.client.internal.zookeeper.NodeRights;
import io.evenkey.client.internal.zookeeper.RegistrySettings;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreMutex;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** One process migrates a table or changes its indexes; the refusal of another says which. */
@ExtendWith(EmbeddedHBaseExtension.class)
class TableLockIT {
  private static final TableName ORDERS = TableName.valueOf("shop:orders");
  private static final Duration SOON = Duration.ofMillis(50);

  private Configuration configuration;
  private Registry registry;
  private Registry other;

  @BeforeEach
  void open(Connection shared, TestInfo test) throws RegistryException {
    configuration = new Configuration(shared.getConfiguration());
    configuration.set(
        RegistrySettings.ROOT, "/tests/" + test.getTestMethod().orElseThrow().getName());
    registry = Registry.open(configuration);
    other = Registry.open(configuration);
  }

  @AfterEach
  void close() {
    registry.close();
    other.close();
  }

  private AutoCloseable lock(Registry session, String work) throws RegistryException {
    return session.migrations().lock(ORDERS, work, SOON);
  }

  @Test
  void aRefusalSaysWhatTheHolderDoes() throws Exception {
    try (AutoCloseable held = lock(registry, "index verify by_customer")) {
      assertThat(held).isNotNull();
      assertThatThrownBy(() -> lock(other, "migrate"))
          .isInstanceOf(MigrationConflictException.class)
          .hasMessageStartingWith(
              "another process has the lock of the table: table=shop:orders"
                  + " work=\"index verify by_customer\" user="
                  + System.getProperty("user.name")
                  + " process="
                  + ProcessHandle.current().pid()
                  + "@")
          .hasMessageContaining(" since=20")
          .hasMessageContaining("; try again when that has ended: look at the migration");
    }
    lock(other, "migrate").close();
  }

  /** A process that waits has a node beside the holder's. */
  @Test
  void theHolderIsNamedAndNotAnotherThatWaits() throws Exception {
    ExecutorService waiting = Executors.newSingleThreadExecutor();
    AutoCloseable held = lock(registry, "migrate");
    try {
      Future<AutoCloseable> second =
          waiting.submit(
              () -> other.migrations().lock(ORDERS, "index add by_state", Duration.ofMinutes(1)));
      for (int i = 0; i < 20; i++) {
        assertThatThrownBy(() -> lock(registry, "index drop by_state"))
            .hasMessageContaining("work=\"migrate\"");
      }
      held.close();
      second.get(30, TimeUnit.SECONDS).close();
    } finally {
      waiting.shutdownNow();
    }
  }

  @Test
  void aHolderOfAnEarlierVersionMayDoEither() throws Exception {
    lock(registry, "migrate").close();
    try (CuratorFramework client =
        RegistrySettings.client(configuration, NodeRights.of(configuration), null)) {
      client.start();
      InterProcessSemaphoreMutex earlier =
          new InterProcessSemaphoreMutex(client, Nodes.of(configuration).migrator(ORDERS));
      earlier.acquire();
      assertThatThrownBy(() -> lock(registry, "migrate"))
          .isInstanceOf(MigrationConflictException.class)
          .hasMessageStartingWith(
              "another process migrates the table, or adds, verifies, sweeps or drops an index of"
                  + " it: table=shop:orders; ");
      earlier.release();
    }
    AutoCloseable held = lock(registry, "migrate");
    assertThatThrownBy(() -> lock(other, "migrate")).isInstanceOf(MigrationConflictException.class);
    held.close();
  }
}
