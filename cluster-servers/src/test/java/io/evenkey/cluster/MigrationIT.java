/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Migrations by the command line, under a writer and the death of servers. */
@Tag("full")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class MigrationIT {
  private static final int ROWS = 30_000;

  private static final long PAUSE_NANOS = 2_000_000;

  @RegisterExtension
  private static final ClusterExtension CLUSTER =
      ClusterExtension.in("migration", ClusterOptions.defaults());

  private final SeparateCluster cluster;
  private final Connection plain;

  MigrationIT(SeparateCluster cluster, Connection plain) {
    this.cluster = cluster;
    this.plain = plain;
  }

  @Test
  void aMigrationInThisProcessOutlivesARegionServerUnderAWriter() throws Exception {
    migrate("killed_in_migration", true, "--quorum", cluster.quorum());
  }

  @Test
  void aMigrationCopiesByAJobOnYarn() throws Exception {
    migrate(
        "copied_on_yarn",
        false,
        "--conf",
        cluster.configurationDirectory().toString(),
        "--work",
        "/migrations");
  }

  private void migrate(String name, boolean kill, String... where) throws Exception {
    TableName table = Rows.create(plain, name, 3);
    try (Connection dropIn = Rows.dropIn(cluster)) {
      Rows.write(dropIn, table, 0, ROWS, rows -> {});
      AtomicBoolean over = new AtomicBoolean();
      AtomicInteger written = new AtomicInteger(ROWS);
      CompletableFuture<Void> writer =
          CompletableFuture.runAsync(
              () -> {
                try (Table open = dropIn.getTable(table)) {
                  while (!over.get()) {
                    open.put(Rows.put(written.get()));
                    written.incrementAndGet();
                    // Two cores are shared with all servers: leave them some.
                    LockSupport.parkNanos(PAUSE_NANOS);
                  }
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      try (RunningCommand migration = RunningCommand.begin(arguments(name, where))) {
        if (kill) {
          Member victim = Member.regionServer(3);
          await()
              .atMost(Duration.ofMinutes(2))
              .until(
                  () ->
                      Evenkey.run("migrate", name, "--status", "--quorum", cluster.quorum()).exit()
                          == 0);
          cluster.kill(victim);
          cluster.restart(victim);
        }
        Evenkey result = migration.end();
        assertThat(result.exit()).as(result.err()).isZero();
        over.set(true);
        writer.get();
      }
      assertThat(written.get()).as("rows written during the migration").isGreaterThan(ROWS);
      Rows.assertAll(dropIn, table, written.get());
    }
    Evenkey status = Evenkey.run("verify", name, "--quorum", cluster.quorum());
    assertThat(status.exit()).as(status.out() + status.err()).isZero();
    assertThat(status.out()).contains("salt(5)");
  }

  private static String[] arguments(String name, String... where) {
    String[] all = new String[7 + where.length];
    System.arraycopy(
        new String[] {
          "migrate", name, "--yes", "--layout", "salt(5) + id:digits(8)", "--switch", "--finish"
        },
        0,
        all,
        0,
        7);
    System.arraycopy(where, 0, all, 7, where.length);
    return all;
  }
}
