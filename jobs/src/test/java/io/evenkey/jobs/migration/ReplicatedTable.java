/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A table for each test that one cluster replicates to another. */
abstract class ReplicatedTable {
  static final Layout LAYOUT = Layout.parse("salt(4) + id:string");
  static final Layout NEXT = Layout.parse("salt(3) + id:string");
  static final Layout FEW = Layout.parse("salt(4) + no:int64");
  static final Layout MORE = Layout.parse("salt(4; 8 from no 1000) + no:int64");
  static final byte[] D = Bytes.toBytes("d");
  static final byte[] Q = Bytes.toBytes("q");
  private static final AtomicInteger TABLES = new AtomicInteger();

  @TempDir static Path directory;
  static PeerCluster source;
  static PeerCluster peer;

  TableName name;

  @BeforeAll
  static void start() throws IOException {
    peer = PeerCluster.start(directory, "b", 1, Map.of());
    source = PeerCluster.start(directory, "a", 1, Map.of());
    source.replicateTo(peer, "b");
  }

  @AfterAll
  static void stop() throws IOException {
    source.close();
    peer.close();
  }

  @BeforeEach
  void create() throws IOException {
    name = TableName.valueOf("t" + TABLES.incrementAndGet());
    peer.create(name, LAYOUT);
    source.create(name, LAYOUT);
    for (int i = 0; i < 100; i++) {
      source.put(name, "row-" + i, "0");
    }
  }

  static byte[] key(String id) {
    return LAYOUT.logicalKey(Values.of("id", id));
  }

  static MigrationSettings settings() {
    return new MigrationSettings(new org.apache.hadoop.fs.Path(directory.toUri()), 10_000);
  }

  Migrator begin(Stage goal, MigrationListener listener) throws IOException {
    return begin(MigrationPlan.of(name, NEXT).aimFor(goal), listener);
  }

  static Migrator begin(MigrationPlan plan, MigrationListener listener) throws IOException {
    return Migrator.begin(source.plain(), source.registry(), plan, settings(), listener);
  }

  static Migrator resume(PeerCluster side, TableName name) throws IOException {
    return Migrator.resume(side.plain(), side.registry(), name, settings(), MigrationListener.NONE);
  }

  void go(PeerCluster side, Stage goal) throws IOException {
    go(side, name, goal);
  }

  static void go(PeerCluster side, TableName name, Stage goal) throws IOException {
    try (Migrator migrator = resume(side, name)) {
      migrator.aimFor(goal);
      assertThat(migrator.run().stage()).isEqualTo(goal);
    }
  }

  void awaitSame() {
    awaitSame(name);
  }

  static void awaitSame(TableName name) {
    PeerCluster.awaitSame(source.tables(), peer.tables(), name);
  }

  /** Writes at the source for as long as something runs there. */
  final class Load implements AutoCloseable {
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final AtomicBoolean ends = new AtomicBoolean();
    private final AtomicInteger count = new AtomicInteger();
    private final Future<Integer> written;

    Load() {
      written =
          thread.submit(
              () -> {
                SpreadTable table = source.tables().open(name);
                int i = 0;
                for (; !ends.get(); i++) {
                  table.put(new Put(key("row-" + i % 150)).addColumn(D, Q, Bytes.toBytes("v" + i)));
                  if (i % 7 == 0) {
                    table.delete(new Delete(key("row-" + i % 50)));
                  }
                  count.incrementAndGet();
                  TimeUnit.MILLISECONDS.sleep(1);
                }
                return i;
              });
    }

    /** Waits until rows have been written. */
    void begun() {
      await().atMost(Duration.ofMinutes(1)).until(() -> count.get() > 0 || written.isDone());
    }

    @Override
    public void close() {
      ends.set(true);
      try {
        assertThat(written).succeedsWithin(Duration.ofMinutes(1));
      } finally {
        thread.shutdownNow();
      }
    }
  }

  /** A table of both clusters with 100 rows before the step. */
  TableName createNumbered() throws IOException {
    TableName steps = TableName.valueOf(name + "-steps");
    peer.create(steps, FEW);
    source.create(steps, FEW);
    for (long no = 0; no < 100; no++) {
      source.tables().open(steps).put(numbered(no, "0"));
    }
    awaitSame(steps);
    return steps;
  }

  static Put numbered(long no, String value) {
    byte[] key = Layout.parse("no:int64").logicalKey(Values.of("no", no));
    return new Put(key).addColumn(D, Q, Bytes.toBytes(value));
  }

  static void link(boolean on) throws IOException {
    source.link("b", on);
  }
}
