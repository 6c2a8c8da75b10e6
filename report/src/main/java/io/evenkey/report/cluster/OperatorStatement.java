/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.cluster;

import io.evenkey.jobs.guard.OtherClusters;
import io.evenkey.jobs.guard.OtherWriters;
import io.evenkey.jobs.migration.MigrationPreview;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;

/**
 * What an operator states of a table that is to be changed, since no server can know it. Immutable.
 *
 * @param othersStopped all writers without Evenkey have stopped
 * @param replicationEnded no other cluster replicates to the table any more
 */
public record OperatorStatement(boolean othersStopped, boolean replicationEnded) {
  /** Nothing is stated. */
  public static final OperatorStatement NONE = new OperatorStatement(false, false);

  /** Has the table's guard go by it: it checks the rows of others, and forgets the replication. */
  public void apply(Cluster cluster, TableName table) throws IOException {
    if (othersStopped) {
      new OtherWriters(cluster.connection())
          .stop(cluster.registry().migrations().generation(table));
    }
    if (replicationEnded) {
      new OtherClusters(cluster.connection())
          .end(cluster.registry().migrations().generation(table));
    }
  }

  /** Returns a preview without the obstacles that are gone by it. */
  public MigrationPreview applied(MigrationPreview preview) {
    MigrationPreview rest = othersStopped ? preview.without(OtherWriters.ALLOWED) : preview;
    return replicationEnded ? rest.without(OtherClusters.WRITE) : rest;
  }
}
