/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.guard.GuardMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Migrations whose last pass takes longer than the pause of writes, on a real HBase. */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class EndedPauseIT extends MigrationFixture {
  private static final Layout FROM = Layout.parse("salt(8) + key:bytes");
  private static final byte[] D = Bytes.toBytes("d");
  private static final int CLIENTS = 2;
  private static final int ROWS = 200;

  private final AtomicBoolean over = new AtomicBoolean();

  /** The last value of each row that was acknowledged. */
  private final AtomicLongArray written = new AtomicLongArray(ROWS);

  /** The last value of each row that a client has read. */
  private final AtomicLongArray seen = new AtomicLongArray(ROWS);

  // Of rows of its own, without a pause: whatever is compared has just changed.
  private void write(int client) {
    try (Connection connection = LoadedTable.client(plain);
        Table table = connection.getTable(name)) {
      for (long value = 1; !over.get(); value++) {
        int row = (int) (value * CLIENTS % ROWS) + client;
        table.put(new Put(LoadedTable.key(row)).addColumn(D, D, Bytes.toBytes(value)));
        written.set(row, value);
        check(table, row);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // By clients that use the table for the first time.
  private void read() {
    try {
      while (!over.get()) {
        try (Connection connection = LoadedTable.client(plain);
            Table table = connection.getTable(name)) {
          for (int row = 0; row < ROWS; row++) {
            check(table, row);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A read sees what was acknowledged, or read by whomever, before it began. */
  private void check(Table table, int row) throws IOException {
    long least = Math.max(written.get(row), seen.get(row));
    byte[] value = table.get(new Get(LoadedTable.key(row))).getValue(D, D);
    long found = value == null ? 0 : Bytes.toLong(value);
    assertThat(found).as("row %d", row).isGreaterThanOrEqualTo(least);
    seen.accumulateAndGet(row, found, Math::max);
  }

  private long writes() {
    return IntStream.range(0, ROWS).mapToLong(written::get).sum();
  }

  /** Holds the last pass up until clients write again. */
  private MigrationListener outlasting(Stage lastPass) {
    AtomicBoolean isLast = new AtomicBoolean();
    return new MigrationListener() {
      @Override
      public void stage(Migration migration) {
        isLast.set(migration.stage() == lastPass);
      }

      @Override
      public void progress(double share, long rows) {
        if (isLast.getAndSet(false)) {
          long before = writes();
          await().atMost(GuardMode.FENCE.multipliedBy(3)).until(() -> writes() > before);
        }
      }
    };
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(
      value = Stage.class,
      names = {"FENCING", "RETURNING"})
  void whatClientsWriteAfterItHasEndedIsCarriedOver(Stage lastPass) throws Exception {
    tables.create(name, FROM, FROM.splits(8), List.of("d"));
    // The common pool may have one thread only.
    ExecutorService threads = Executors.newCachedThreadPool();
    List<CompletableFuture<Void>> clients = new ArrayList<>();
    for (int client = 0; client < CLIENTS; client++) {
      int number = client;
      clients.add(CompletableFuture.runAsync(() -> write(number), threads));
    }
    clients.add(CompletableFuture.runAsync(this::read, threads));
    MigrationPlan plan =
        MigrationPlan.of(name, LoadedTable.TO).by(Migration.By.PUTS).aimFor(Stage.SWITCHED);
    Stage goal = lastPass == Stage.FENCING ? Stage.FINISHED : Stage.ROLLED_BACK;
    try (Migrator migrator =
        Migrator.begin(plain, registry, plan, settings(), outlasting(lastPass))) {
      assertThat(migrator.run().stage()).isEqualTo(Stage.SWITCHED);
      migrator.aimFor(goal);
      assertThat(migrator.run().stage()).isEqualTo(goal);
    } finally {
      over.set(true);
      for (CompletableFuture<Void> client : clients) {
        client.join();
      }
      threads.shutdown();
    }
    try (Connection connection = LoadedTable.client(plain);
        Table table = connection.getTable(name)) {
      for (int row = 0; row < ROWS; row++) {
        byte[] value = table.get(new Get(LoadedTable.key(row))).getValue(D, D);
        assertThat(Bytes.toLong(value)).as("row %d", row).isEqualTo(written.get(row));
      }
    }
  }
}
