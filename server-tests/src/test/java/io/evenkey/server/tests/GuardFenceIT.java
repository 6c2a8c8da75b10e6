/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.tests;

import static io.evenkey.server.tests.GuardedTable.migrating;
import static io.evenkey.server.tests.GuardedTable.put;
import static io.evenkey.server.tests.GuardedTable.stamped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.protocol.guard.GuardAnswer;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.ConnectionUtils;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.NonceGenerator;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A migration changes the state of all regions, also of those that move meanwhile. */
@ExtendWith(EmbeddedHBaseExtension.class)
class GuardFenceIT {
  private static final GuardState FENCED = new GuardState(1, GuardMode.FENCED, 0, 7, "");

  @Test
  void fencesTwelveRegionsWithoutReopeningOne(Connection connection) throws Exception {
    byte[][] splits = new byte[11][];
    for (int i = 0; i < splits.length; i++) {
      splits[i] = Bytes.toBytes(String.format("%02d", i + 1));
    }
    GuardedTable table = GuardedTable.withLayout(connection, splits);
    Set<String> regions = new HashSet<>();
    table.askAll(0).forEach(answer -> regions.add(answer.region()));
    List<GuardAnswer> answers = table.set(FENCED);
    assertThat(answers).hasSize(12).extracting(GuardAnswer::state).containsOnly(FENCED);
    assertThat(answers)
        .extracting(GuardAnswer::region)
        .containsExactlyInAnyOrderElementsOf(regions);
    for (int i = 0; i < 12; i++) {
      String row = String.format("%02d", i) + "x";
      assertThat(Refusal.of(catchThrowable(() -> table.write(stamped(put(row))))))
          .contains(Refusal.FENCED);
    }
  }

  @Test
  void aRegionHasTheStateOfTheDescriptorThatItReadLast(Connection connection) throws Exception {
    GuardedTable table = GuardedTable.withLayout(connection);
    table.describe(GuardState.DESCRIPTOR_KEY, FENCED.toString());
    assertThat(table.ask(new byte[] {1}, 0).state()).isEqualTo(GuardState.REST);
    table.write(stamped(put("a")));
    assertThat(table.ask(new byte[] {1}, 1).state()).isEqualTo(FENCED);
    // More than there is: the answer says so.
    assertThat(table.ask(new byte[] {1}, 5).state()).isEqualTo(FENCED);
  }

  @Test
  void aRegionThatMovesHasTheStateOfTheDescriptor(EmbeddedHBase hbase) throws Exception {
    GuardedTable table = GuardedTable.withLayout(hbase.connection());
    table.describe(GuardState.DESCRIPTOR_KEY, FENCED.toString());
    try (Admin admin = hbase.connection().getAdmin();
        RegionLocator regions = hbase.connection().getRegionLocator(table.name())) {
      HRegionLocation from = regions.getRegionLocation(new byte[] {1}, true);
      ServerName to =
          hbase.servers().stream()
              .filter(server -> !server.equals(from.getServerName()))
              .findFirst()
              .orElseThrow();
      admin.move(from.getRegion().getEncodedNameAsBytes(), to);
    }
    assertThat(table.ask(new byte[] {1}, 0).state()).isEqualTo(FENCED);
  }

  @Tag("long")
  @Test
  void theHalvesOfARegionThatSplitsHaveTheStateOfTheDescriptor(Connection connection)
      throws Exception {
    GuardedTable table = GuardedTable.withLayout(connection);
    for (String row : List.of("a", "m", "z")) {
      table.write(stamped(put(row)));
    }
    table.describe(GuardState.DESCRIPTOR_KEY, FENCED.toString());
    try (Admin admin = connection.getAdmin();
        RegionLocator regions = connection.getRegionLocator(table.name())) {
      admin.flush(table.name());
      admin.split(table.name(), Bytes.toBytes("m"));
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () -> {
                regions.clearRegionLocationCache();
                return regions.getAllRegionLocations().size() == 2;
              });
    }
    assertThat(table.askAll(0)).hasSize(2).extracting(GuardAnswer::state).containsOnly(FENCED);
  }

  @Test
  void noWriteIsAcknowledgedBehindTheFence(Connection connection) throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(connection, Bytes.toBytes("w1"));
    AtomicBoolean stop = new AtomicBoolean();
    List<AtomicLong> acknowledged = new ArrayList<>();
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      String row = "w" + i;
      AtomicLong count = new AtomicLong();
      acknowledged.add(count);
      writers.add(CompletableFuture.runAsync(() -> increment(guarded, row, count, stop)));
    }
    try {
      for (int revision = 1; revision < 60; revision += 3) {
        guarded.set(revision, GuardMode.TRACKED);
        long before = sum(acknowledged);
        Awaitility.await()
            .atMost(Duration.ofMinutes(1))
            .until(() -> sum(acknowledged) > before + 20);
        guarded.set(revision + 1, GuardMode.FENCED);
        List<Long> stored = counts(guarded, acknowledged.size());
        for (int i = 0; i < stored.size(); i++) {
          assertThat(acknowledged.get(i).get())
              .as("writer %s", i)
              .isLessThanOrEqualTo(stored.get(i));
        }
        guarded.set(revision + 2, GuardMode.CLOSED);
        assertThat(counts(guarded, stored.size())).as("nothing changed").isEqualTo(stored);
      }
    } finally {
      stop.set(true);
    }
    CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).get();
    List<Long> stored = counts(guarded, acknowledged.size());
    assertThat(acknowledged).extracting(AtomicLong::get).isEqualTo(stored);
  }

  private static long sum(List<AtomicLong> counts) {
    return counts.stream().mapToLong(AtomicLong::get).sum();
  }

  private static void increment(
      GuardedTable guarded, String row, AtomicLong acknowledged, AtomicBoolean stop) {
    try (Table table = guarded.open()) {
      while (!stop.get()) {
        Increment increment =
            stamped(
                new Increment(Bytes.toBytes(row))
                    .addColumn(GuardedTable.FAMILY, GuardedTable.QUALIFIER, 1));
        try {
          table.increment(increment);
          acknowledged.incrementAndGet();
        } catch (IOException e) {
          if (Refusal.of(e).isEmpty()) {
            throw e;
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Long> counts(GuardedTable guarded, int rows) throws IOException {
    List<Long> counts = new ArrayList<>();
    try (Table table = guarded.open()) {
      for (int i = 0; i < rows; i++) {
        byte[] value =
            table
                .get(migrating(new Get(Bytes.toBytes("w" + i)), 7))
                .getValue(GuardedTable.FAMILY, GuardedTable.QUALIFIER);
        counts.add(value == null ? 0 : Bytes.toLong(value));
      }
    }
    return counts;
  }

  @Test
  void anIncrementThatWasDoneBeforeTheFenceIsAnsweredWhenItIsRepeated(EmbeddedHBase hbase)
      throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(hbase.connection());
    try (Connection connection = ConnectionFactory.createConnection(hbase.configuration());
        Table table = connection.getTable(guarded.name())) {
      NonceGenerator same =
          new NonceGenerator() {
            @Override
            public long getNonceGroup() {
              return 11;
            }

            @Override
            public long newNonce() {
              return 12;
            }
          };
      // One for all connections of the process.
      NonceGenerator before =
          ConnectionUtils.injectNonceGeneratorForTesting((ClusterConnection) connection, same);
      try {
        incrementAsTheTableCloses(guarded, table);
      } finally {
        ConnectionUtils.injectNonceGeneratorForTesting((ClusterConnection) connection, before);
      }
    }
  }

  private static void incrementAsTheTableCloses(GuardedTable guarded, Table table)
      throws IOException {
    long revision = 0;
    for (GuardMode mode : List.of(GuardMode.TRACKED, GuardMode.FENCED, GuardMode.CLOSED)) {
      Increment increment =
          stamped(
              new Increment(Bytes.toBytes("a"))
                  .addColumn(GuardedTable.FAMILY, GuardedTable.QUALIFIER, 1));
      assertThat(Bytes.toLong(table.increment(increment).value())).as("%s", mode).isEqualTo(1);
      guarded.set(++revision, mode);
    }
  }
}
