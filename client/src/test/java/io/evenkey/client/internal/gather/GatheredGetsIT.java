/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.Stamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Rows that region servers gather by their keys are those that gets read. */
@ExtendWith(EmbeddedHBaseExtension.class)
class GatheredGetsIT {
  private static final byte[] D = Bytes.toBytes("d");
  private static final byte[] OTHER = Bytes.toBytes("other");
  private static final Layout LAYOUT = Layout.parse("salt(16) + n:int64");

  private static byte[] key(long n) {
    return LAYOUT.logicalKey(Values.of("n", n));
  }

  private static Get get(long n) {
    Get get = new Get(LAYOUT.physical(key(n)));
    get.setAttribute(GuardAttributes.RAW, new byte[] {1});
    return get;
  }

  private static void write(Connection plain, TableName name, int rows, int bytes)
      throws Exception {
    try (SpreadTables tables = SpreadTables.on(plain)) {
      SpreadTable table = tables.create(name, LAYOUT, LAYOUT.splits(7), List.of("d"));
      List<Put> puts = new ArrayList<>();
      for (long n = 0; n < rows; n++) {
        puts.add(
            new Put(key(2 * n))
                .addColumn(D, D, new byte[bytes])
                .addColumn(D, OTHER, Bytes.toBytes(n)));
      }
      table.put(puts);
    }
  }

  private static AsyncConnection async(Connection plain) throws Exception {
    return FutureUtils.get(
        ConnectionFactory.createAsyncConnection(new Configuration(plain.getConfiguration())));
  }

  @Test
  void rowsAreThoseOfGets(Connection plain) throws Exception {
    TableName name = TableName.valueOf("gatheredGets");
    write(plain, name, 1_000, 10);
    SplittableRandom random = new SplittableRandom(11);
    try (AsyncConnection connection = async(plain)) {
      AsyncTable<AdvancedScanResultConsumer> table = connection.getTable(name);
      GatherServers servers = new GatherServers(false);
      for (int i = 0; i < 20; i++) {
        List<Get> gets = new ArrayList<>();
        for (int k = 0; k < 1 + random.nextInt(300); k++) {
          // Odd numbers have no row, and some rows are wanted twice.
          gets.add(get(random.nextLong(2_100)).addColumn(D, OTHER));
        }
        List<Result> expected = FutureUtils.get(table.getAll(gets));
        Result[] found = FutureUtils.get(GatheredGets.of(table, gets, 1, servers));
        assertThat(found).hasSameSizeAs(expected);
        for (int k = 0; k < found.length; k++) {
          assertThat(found[k]).isNotNull();
          Result.compareResults(expected.get(k), found[k]);
        }
      }
      assertThat(servers.mayBeAsked()).isTrue();
    }
  }

  @Test
  void rowsBeyondTheSizeOfAnAnswerAreLeftToGets(Connection plain) throws Exception {
    TableName name = TableName.valueOf("gatheredLargeGets");
    write(plain, name, 90, 100_000);
    List<Get> gets = new ArrayList<>();
    for (long n = 89; n >= 0; n--) {
      gets.add(get(2 * n));
    }
    try (AsyncConnection connection = async(plain)) {
      Result[] found =
          FutureUtils.get(
              GatheredGets.of(connection.getTable(name), gets, 1, new GatherServers(false)));
      long read = 0;
      for (int i = 0; i < found.length; i++) {
        if (found[i] != null) {
          read++;
          assertThat(found[i].getRow()).isEqualTo(gets.get(i).getRow());
        }
      }
      // Two megabytes a server.
      assertThat(read).isBetween(1L, 89L);
      Result[] all =
          FutureUtils.get(
              GatheredGets.all(connection.getTable(name), gets, 1, new GatherServers(false)));
      for (int i = 0; i < all.length; i++) {
        assertThat(all[i].getRow()).isEqualTo(gets.get(i).getRow());
      }
    }
  }

  @Test
  void aServerThatCannotGatherIsNotAskedAgainForATime(Connection plain) throws Exception {
    TableName name = TableName.valueOf("gatheredStaleGets");
    write(plain, name, 20, 10);
    List<Get> refused = new ArrayList<>();
    for (long n = 0; n < 20; n++) {
      Get get = new Get(LAYOUT.physical(key(n)));
      get.setAttribute(GuardAttributes.LAYOUT, Stamp.of(Layout.parse("salt(8) + n:int64")));
      refused.add(get);
    }
    try (AsyncConnection connection = async(plain)) {
      GatherServers servers = new GatherServers(false);
      AsyncTable<AdvancedScanResultConsumer> table = connection.getTable(name);
      assertThat(GatheredGets.arePossible(table.getConfiguration(), refused, servers)).isTrue();
      assertThat(GatheredGets.of(table, refused, 1, servers)).failsWithin(Duration.ofMinutes(1));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> !GatheredGets.arePossible(table.getConfiguration(), refused, servers));
      assertThat(GatheredGets.arePossible(table.getConfiguration(), refused, null)).isFalse();
      assertThat(
              GatheredGets.arePossible(
                  table.getConfiguration(), refused.subList(0, 2), new GatherServers(false)))
          .isFalse();
    }
  }
}
