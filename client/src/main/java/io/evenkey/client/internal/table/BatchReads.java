/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.gather.GatherServers;
import io.evenkey.client.internal.gather.GatheredGets;
import io.evenkey.client.internal.route.TimeLimit;
import io.evenkey.client.internal.row.RowMapping;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;

/**
 * Reads the indexed columns that the puts of a batch leave as they are: by one request to each
 * region server, where these can gather; else, and for rows that are more than an answer may have,
 * by gets. Stateless.
 */
final class BatchReads {
  private BatchReads() {}

  /**
   * The rows in the order of the reads, with their physical keys; for a read that failed the {@link
   * Throwable}.
   *
   * @param tables of the generation that is written
   * @param gets with logical keys
   * @param scans opened only where servers are asked
   */
  static Object[] read(
      OperationTables tables,
      TimeLimit limit,
      RowMapping rows,
      List<Get> gets,
      LogicalTable.Scans scans)
      throws IOException {
    List<Get> physical = rows.physical(gets);
    Table stored = tables.stored();
    GatherServers servers = rows.isFree() ? null : rows.servers(false);
    if (servers == null || !GatheredGets.arePossible(stored.getConfiguration(), gets, servers)) {
      return EntryWriter.read(stored, physical);
    }
    @Nullable Result[] found =
        Futures.get(
            GatheredGets.tried(
                scans.like(stored).table(), physical, rows.layout().spread().width(), servers),
            limit.leftMs(),
            limit::unanswered);
    return completed(tables, physical, found);
  }

  private static Object[] completed(
      OperationTables tables, List<Get> gets, @Nullable Result[] found) throws IOException {
    List<Get> open = new ArrayList<>();
    for (int i = 0; i < found.length; i++) {
      if (found[i] == null) {
        open.add(gets.get(i));
      }
    }
    Object[] rest = open.isEmpty() ? new Object[0] : EntryWriter.read(tables.stored(), open);
    Object[] rows = new Object[found.length];
    int next = 0;
    for (int i = 0; i < rows.length; i++) {
      Result row = found[i];
      rows[i] = row == null ? rest[next++] : row;
    }
    return rows;
  }
}
