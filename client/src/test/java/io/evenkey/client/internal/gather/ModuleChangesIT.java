/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.internal.metrics.ScanMeters;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.server.guard.LayoutGuard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The module is taken from the regions of a table, and loaded again, under a client. */
@Tag("long")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ModuleChangesIT {
  private static final TableName NAME = TableName.valueOf("changes");
  private static final int ROWS = 500;

  @Test
  void scansAreExactWhileTheModuleGoesAndComes() throws Exception {
    try (EmbeddedHBase hbase = EmbeddedHBase.temporary().servers(2).guard(false).start();
        Connection dropIn = GatheredTable.dropIn(hbase.connection(), true);
        Admin admin = hbase.connection().getAdmin()) {
      GatheredTable.create(
          hbase.connection(),
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(GatheredTable.FAMILY))
              .setCoprocessor(LayoutGuard.class.getName())
              .build());
      GatheredTable.fill(dropIn, NAME, ROWS);
      TableDescriptor with = admin.getDescriptor(NAME);
      AtomicBoolean over = new AtomicBoolean();
      CompletableFuture<Integer> reader = CompletableFuture.supplyAsync(() -> read(dropIn, over));
      try {
        awaitGathered(reader);
        long refused = ScanMeters.ungathered();
        admin.modifyTable(
            TableDescriptorBuilder.newBuilder(with)
                .removeCoprocessor(LayoutGuard.class.getName())
                .build());
        await()
            .atMost(1, TimeUnit.MINUTES)
            .until(() -> reader.isDone() || ScanMeters.ungathered() > refused);
        admin.modifyTable(with);
        awaitGathered(reader);
      } finally {
        over.set(true);
      }
      assertThat(reader.get(1, TimeUnit.MINUTES)).isPositive();
    }
  }

  private static void awaitGathered(CompletableFuture<Integer> reader) {
    long before = ScanMeters.gathered();
    await()
        .atMost(1, TimeUnit.MINUTES)
        .until(() -> reader.isDone() || ScanMeters.gathered() > before);
  }

  /** Reads until it is over, and checks each scan; the number of scans. */
  private static int read(Connection dropIn, AtomicBoolean over) {
    SplittableRandom random = new SplittableRandom(3);
    int scans = 0;
    try (Table table = dropIn.getTable(NAME)) {
      while (!over.get()) {
        int from = random.nextInt(ROWS);
        int limit = 1 + random.nextInt(40);
        Scan scan = new Scan().withStartRow(Bytes.toBytes(from)).setLimit(limit);
        assertThat(GatheredTable.keys(table, scan))
            .as("from=%s limit=%s", from, limit)
            .isEqualTo(IntStream.range(from, Math.min(ROWS, from + limit)).boxed().toList());
        scans++;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return scans;
  }
}
