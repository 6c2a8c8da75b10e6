/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.report.cluster.OperatorStatement;
import picocli.CommandLine.Option;

/** The options by which an operator states who has stopped to write to a table. */
final class StatementOptions {
  @Option(
      names = "--others-stopped",
      description =
          "State that all writers without Evenkey have stopped. From now on, region servers check"
              + " the rows of such writers, even if the table accepted any row before"
              + " (EVENKEY_RAW_WRITES=allow).")
  private boolean othersStopped;

  @Option(
      names = "--replication-ended",
      description =
          "State that no other cluster replicates to the table any more. Without this option, a"
              + " table to which one has replicated is rejected. If one writes to it afterwards, it"
              + " is rejected again.")
  private boolean replicationEnded;

  OperatorStatement statement() {
    return new OperatorStatement(othersStopped, replicationEnded);
  }
}
