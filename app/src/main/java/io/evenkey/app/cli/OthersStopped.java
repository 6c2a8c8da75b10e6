/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.cli;

import io.evenkey.app.cluster.Cluster;
import io.evenkey.jobs.guard.OtherWriters;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Option;

/** The option by which an operator says that writers without Evenkey have stopped. */
final class OthersStopped {
  @Option(
      names = "--others-stopped",
      description =
          "State that all writers without Evenkey have stopped. From now on, region servers check"
              + " the rows of such writers, even if the table accepted any row before"
              + " (EVENKEY_RAW_WRITES=allow).")
  private boolean stopped;

  boolean isGiven() {
    return stopped;
  }

  /** Has the table check the rows of such writers, if the option is given. */
  void apply(Cluster open, TableName table) throws IOException {
    if (stopped) {
      new OtherWriters(open.connection()).stop(open.registry().migrations().generation(table));
    }
  }
}
