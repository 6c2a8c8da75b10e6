/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.cluster;

import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.failure.FailureCode;
import io.evenkey.layout.message.FailureMessage;
import org.apache.hadoop.hbase.TableName;

/** Replication has not sent all rows of a generation yet. */
public final class NotArrivedException extends EvenkeyException {
  private static final long serialVersionUID = 1L;

  NotArrivedException(TableName generation, String row) {
    super(
        FailureCode.NOT_ARRIVED,
        generation.getNameAsString(),
        FailureMessage.of("replication has not brought all rows of the source yet")
            .with("generation", generation)
            .with("row", row)
            .remedy("wait until it has, and " + Remedy.RESUME_MIGRATION),
        null);
  }
}
