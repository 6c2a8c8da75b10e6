/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.request.RequestSettings;
import io.evenkey.client.internal.setting.Setting;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * Reads many rows by their keys with one request to each region server, which seeks from row to row
 * with one scanner of each region. A get opens a scanner for its row, and is a request of its own
 * for client and server. Stateless.
 */
public final class GatheredGets {
  /** For fewer rows gets cost no more. */
  private static final int FEWEST = 4;

  private GatheredGets() {}

  /**
   * Whether to ask the servers for rows: else gets read them. The servers can be asked for rows
   * that are all read alike, and not by replicas.
   *
   * @param configuration of the client
   * @param servers of the table; null if region servers cannot gather its rows
   */
  public static boolean arePossible(
      Configuration configuration, List<Get> gets, @Nullable GatherServers servers)
      throws IOException {
    return servers != null
        && gets.size() >= FEWEST
        && servers.mayBeAsked()
        && Setting.SCAN_SERVERS.isOn(configuration)
        && gets.get(0).getConsistency() == Consistency.STRONG
        && gets.get(0).getReplicaId() < 0
        && RequestSettings.areAlike(gets);
  }

  /**
   * The rows. Those that are more than an answer may have, and all rows if a server cannot gather,
   * are read by gets.
   *
   * @param gets of physical rows, for which that is {@linkplain #arePossible possible}
   * @param keyOffset bytes before the logical key in each physical row
   * @return for each get its row, empty if there is none
   */
  public static CompletableFuture<Result[]> all(
      AsyncTable<AdvancedScanResultConsumer> table,
      List<Get> gets,
      int keyOffset,
      GatherServers servers) {
    return Futures.chain(
        tried(table, gets, keyOffset, servers), found -> completed(table, gets, found));
  }

  /**
   * As {@link #all}, without gets: null for the rows that are not read, which are those that are
   * more than an answer may have, or all rows if a server cannot gather.
   */
  public static CompletableFuture<@Nullable Result[]> tried(
      AsyncTable<AdvancedScanResultConsumer> table,
      List<Get> gets,
      int keyOffset,
      GatherServers servers) {
    CompletableFuture<@Nullable Result[]> read = of(table, gets, keyOffset, servers);
    return Futures.next(
        read,
        (rows, refused) ->
            refused == null
                ? read
                : CompletableFuture.completedFuture(new @Nullable Result[gets.size()]));
  }

  /** Gets the rows that are not read yet. */
  private static CompletableFuture<Result[]> completed(
      AsyncTable<?> table, List<Get> gets, @Nullable Result[] found) {
    List<Integer> open =
        IntStream.range(0, found.length).filter(i -> found[i] == null).boxed().toList();
    if (open.isEmpty()) {
      return CompletableFuture.completedFuture(found);
    }
    return Futures.map(
        table.getAll(open.stream().map(gets::get).toList()),
        rest -> {
          Result[] rows = found.clone();
          for (int i = 0; i < rest.size(); i++) {
            rows[open.get(i)] = rest.get(i);
          }
          return rows;
        });
  }

  /**
   * As {@link #all}, without gets: null for the last rows in logical order if all of them are more
   * than an answer may have. Fails if a server cannot gather.
   */
  static CompletableFuture<@Nullable Result[]> of(
      AsyncTable<AdvancedScanResultConsumer> table,
      List<Get> gets,
      int keyOffset,
      GatherServers servers) {
    List<KeyRange> rows =
        gets.stream()
            .map(Get::getRow)
            .sorted(Arrays::compareUnsigned)
            .map(KeyRange::point)
            .distinct()
            .toList();
    GatherOrder order = new GatherOrder(keyOffset, false, rows.size(), row -> row, 0, 0, servers);
    return Futures.map(
        ServerGather.ask(table, new Scan(gets.get(0)), rows, order, rows.size()),
        found -> placed(gets, found, order));
  }

  private static @Nullable Result[] placed(List<Get> gets, FirstRows found, GatherOrder order) {
    Map<ByteString, Result> byRow = new HashMap<>();
    for (Result row : found.rows()) {
      byRow.put(ByteString.of(row.getRow()), row);
    }
    ByteString upTo = found.upTo();
    @Nullable Result[] rows = new @Nullable Result[gets.size()];
    for (int i = 0; i < rows.length; i++) {
      byte[] row = gets.get(i).getRow();
      boolean isRead =
          upTo == null
              || order.compare(
                      Arrays.copyOfRange(row, order.keyOffset(), row.length), upTo.toArray())
                  <= 0;
      rows[i] = isRead ? byRow.getOrDefault(ByteString.of(row), Result.EMPTY_RESULT) : null;
    }
    return rows;
  }
}
