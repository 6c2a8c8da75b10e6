/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.cli;

import io.evenkey.app.cluster.Cluster;
import io.evenkey.jobs.guard.OtherClusters;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Option;

/** The option by which an operator says that no other cluster replicates to a table any more. */
final class ReplicationEnded {
  @Option(
      names = "--replication-ended",
      description =
          "State that no other cluster replicates to the table any more. Without this option, a"
              + " table to which one has replicated is rejected. If one writes to it afterwards, it"
              + " is rejected again.")
  private boolean ended;

  boolean isGiven() {
    return ended;
  }

  /** Has the guard forget the replication, if the option is given. */
  void apply(Cluster open, TableName table) throws IOException {
    if (ended) {
      new OtherClusters(open.connection()).end(open.registry().migrations().generation(table));
    }
  }
}
