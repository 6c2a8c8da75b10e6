/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.cluster;

import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.failure.FailureCode;
import io.evenkey.layout.message.FailureMessage;
import org.apache.hadoop.hbase.TableName;

/**
 * Replication has not sent all that a migration on a peer needs yet: all rows of a generation, or
 * the deletes of rows that are in the way of a step.
 */
public final class NotArrivedException extends EvenkeyException {
  private static final long serialVersionUID = 1L;

  NotArrivedException(TableName generation, String row) {
    this(
        generation,
        "replication has not brought all rows of the source yet",
        row,
        "wait until it has, and " + Remedy.RESUME_MIGRATION);
  }

  private NotArrivedException(TableName generation, String rule, String row, String remedy) {
    super(
        FailureCode.NOT_ARRIVED,
        generation.getNameAsString(),
        FailureMessage.of(rule).with("generation", generation).with("row", row).remedy(remedy),
        null);
  }

  /**
   * A row at or after a step that the source has taken, when it had no such row.
   *
   * @param row the first one, in words
   */
  public static NotArrivedException ofStep(TableName table, String row) {
    return new NotArrivedException(
        table,
        "peer has rows at or after the step, or their tombstones, which the source did not have"
            + " when it took it",
        row,
        "wait until replication has brought their deletes, and run major_compact '"
            + table
            + "' on the peer");
  }
}
