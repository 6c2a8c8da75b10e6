/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.row;

import io.evenkey.layout.Layout;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.jspecify.annotations.Nullable;

/**
 * A generation that is compared or repaired.
 *
 * @param layout its layout
 * @param keys the change by which its row keys are made of those of the other generation; null if
 *     rows have the same logical keys in both, or those of the other one are changed
 * @param peers the clusters to which what the migration writes is not replicated
 */
public record GenerationSide(
    TableName table, Layout layout, @Nullable KeyChange keys, List<UUID> peers) {
  /** Copies the list. */
  public GenerationSide {
    peers = List.copyOf(peers);
  }

  /** A generation whose row keys are not changed, of a table that is not replicated. */
  public GenerationSide(TableName table, Layout layout) {
    this(table, layout, null, List.of());
  }

  /** Has HBase take a mutation for one that these clusters have already, so that none gets it. */
  public static Mutation notReplicated(Mutation mutation, List<UUID> clusters) {
    return clusters.isEmpty() ? mutation : mutation.setClusterIds(clusters);
  }
}
