/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.cluster;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.jobs.compare.Comparison;
import io.evenkey.jobs.compare.ComparisonOptions;
import io.evenkey.jobs.compare.ComparisonResult;
import io.evenkey.jobs.migration.generation.Generations;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Compares the rows of a generation on two clusters. Stateless.
 *
 * @param source HBase's own connection to the cluster that clients write
 * @param peer to the cluster to which it is replicated
 */
record ClusterComparison(Connection source, Connection peer) {
  /** Replication brings a row within this time, unless it is behind, or never had it. */
  private static final Duration LAG = Duration.ofSeconds(1);

  private static final int LOOKS = 10;

  /** Rows that are kept in memory, of both clusters, while they are looked at. */
  private static final int MOST = 10_000;

  /**
   * Compares a generation that clients write: rows that they change all the time may differ.
   *
   * @throws NotArrivedException if a row does not arrive
   */
  void checkInUse(Migration migration) throws IOException {
    check(
        migration,
        migration.source(),
        ComparisonOptions.DEFAULT.most(MOST).looks(LOOKS, LAG).sparingBusy());
  }

  /**
   * Compares a generation that the source does not write any more.
   *
   * @throws NotArrivedException if a row has not arrived
   */
  void checkLeft(Migration migration, TableName generation) throws IOException {
    check(migration, generation, ComparisonOptions.DEFAULT.most(1));
  }

  private void check(Migration migration, TableName generation, ComparisonOptions options)
      throws IOException {
    Generations here = new Generations(source);
    Layout next = Objects.requireNonNull(TableLayout.of(here.descriptor(migration.target())));
    Layout layout = here.layout(generation, next);
    try (SpreadTables theirs = SpreadTables.on(source);
        SpreadTables ours = SpreadTables.on(peer)) {
      Comparison comparison =
          Comparison.of(
              open(theirs, source, generation, layout),
              open(ours, peer, generation, layout),
              options.scan(new Scan().setCacheBlocks(false)));
      ComparisonResult result = comparison.run(rows -> {});
      if (!result.isSame()) {
        throw new NotArrivedException(
            generation,
            result.differences().isEmpty() ? "one of many" : result.differences().get(0).label());
      }
    }
  }

  // By the turn of the migration there, which reads in every mode.
  private static SpreadTable open(
      SpreadTables tables, Connection cluster, TableName generation, Layout layout)
      throws IOException {
    long turn = TableGuard.state(new Generations(cluster).descriptor(generation)).turn();
    return tables.generation(generation, layout, turn);
  }
}
