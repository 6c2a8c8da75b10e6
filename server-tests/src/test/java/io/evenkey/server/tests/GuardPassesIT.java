/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.tests;

import static io.evenkey.server.tests.GuardedTable.FAMILY;
import static io.evenkey.server.tests.GuardedTable.QUALIFIER;
import static io.evenkey.server.tests.GuardedTable.migrating;
import static io.evenkey.server.tests.GuardedTable.stamped;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.protocol.guard.ChangeMark;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A copy that is kept by marks alone, as a migration keeps one, while rows change all the time. */
@ExtendWith(EmbeddedHBaseExtension.class)
class GuardPassesIT {
  private static final int ROWS = 40;
  private static final int PASSES = 25;
  private static final long TURN = 7;

  private final EmbeddedHBase hbase;
  private final GuardedTable guarded;
  private final Map<String, String> copy = new HashMap<>();

  GuardPassesIT(EmbeddedHBase hbase) throws IOException {
    this.hbase = hbase;
    this.guarded =
        GuardedTable.withLayout(hbase.connection(), Bytes.toBytes("r1"), Bytes.toBytes("r2"));
  }

  @Tag("long")
  @Test
  void aCopyOfTheRowsWithMarksMissesNoWrite() throws Exception {
    long seed = Long.getLong("evenkey.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    guarded.set(state(1, GuardMode.TRACKED, 1));
    AtomicBoolean stop = new AtomicBoolean();
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      SplittableRandom own = random.split();
      writers.add(CompletableFuture.runAsync(() -> write(own, stop)));
    }
    try {
      for (int pass = 1; pass < PASSES; pass++) {
        if (pass % 3 == 0) {
          disturb(random);
        }
        guarded.set(state(pass + 1, GuardMode.TRACKED, pass + 1));
        carry(pass);
      }
    } finally {
      stop.set(true);
    }
    guarded.set(state(PASSES + 1, GuardMode.READ_ONLY, PASSES));
    carry(PASSES);
    CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).get();
    Map<String, String> now = new HashMap<>();
    for (int i = 0; i < ROWS; i++) {
      read(row(i), now);
    }
    assertThat(copy).as("seed=%s", seed).isEqualTo(now).isNotEmpty();
  }

  private static GuardState state(long revision, GuardMode mode, int pass) {
    return new GuardState(revision, mode, pass, TURN, "");
  }

  private static String row(int number) {
    return "r" + number % 3 + "-" + number;
  }

  private void write(SplittableRandom random, AtomicBoolean stop) {
    try (Table table = guarded.open()) {
      for (int n = 0; !stop.get(); n++) {
        // Some rows are written much more often than others.
        byte[] row = Bytes.toBytes(row(random.nextInt(1 + random.nextInt(ROWS))));
        Durability durability =
            random.nextInt(8) == 0 ? Durability.SKIP_WAL : Durability.USE_DEFAULT;
        try {
          if (random.nextInt(10) == 0) {
            table.delete(stamped(new Delete(row)).setDurability(durability));
          } else {
            byte[] value = Bytes.toBytes(random.nextLong() + "/" + n);
            table.put(
                stamped(new Put(row).addColumn(FAMILY, QUALIFIER, value))
                    .setDurability(durability));
          }
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

  /** Moves a region, flushes, or compacts. */
  private void disturb(SplittableRandom random) throws IOException {
    try (Admin admin = hbase.connection().getAdmin();
        RegionLocator regions = hbase.connection().getRegionLocator(guarded.name())) {
      switch (random.nextInt(3)) {
        case 0 -> admin.flush(guarded.name());
        case 1 -> admin.majorCompact(guarded.name());
        default -> {
          List<ServerName> servers = hbase.servers();
          HRegionLocation region = regions.getRegionLocation(Bytes.toBytes("r1"), true);
          admin.move(
              region.getRegion().getEncodedNameAsBytes(),
              servers.get(random.nextInt(servers.size())));
        }
      }
    }
  }

  /** Reads the rows that have a mark of a pass. */
  private void carry(int pass) throws IOException {
    byte[] mark = ChangeMark.qualifier(pass);
    Set<String> marked = new TreeSet<>();
    Scan scan = migrating(new Scan().setRaw(true).readAllVersions(), TURN);
    try (Table table = guarded.open();
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        for (Cell cell : row.rawCells()) {
          if (CellUtil.matchingQualifier(cell, mark)) {
            marked.add(Bytes.toString(row.getRow()));
          }
        }
      }
    }
    for (String row : marked) {
      read(row, copy);
    }
  }

  private void read(String row, Map<String, String> into) throws IOException {
    try (Table table = guarded.open()) {
      byte[] value =
          table.get(migrating(new Get(Bytes.toBytes(row)), TURN)).getValue(FAMILY, QUALIFIER);
      if (value == null) {
        into.remove(row);
      } else {
        into.put(row, Bytes.toString(value));
      }
    }
  }
}
