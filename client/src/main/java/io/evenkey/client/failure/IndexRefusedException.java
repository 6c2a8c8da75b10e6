/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import io.evenkey.client.internal.remedy.NextStep;
import io.evenkey.layout.failure.FailureCode;
import io.evenkey.layout.failure.FailureMessage;
import io.evenkey.protocol.guard.Refusal;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;

/** A write to a table with indexes, or a read through one, that would break their guarantee. */
public final class IndexRefusedException extends DoNotRetryFailure {
  private static final long serialVersionUID = 1L;

  private IndexRefusedException(TableName table, String message) {
    super(FailureCode.INDEX, table, message);
  }

  /**
   * A refusal.
   *
   * @param rule the broken rule
   * @param values {@code name=value}, separated by blanks
   * @param remedy the way out
   */
  public static IndexRefusedException of(
      TableName table, String rule, String values, String remedy) {
    return new IndexRefusedException(
        table, FailureMessage.of(rule).with("table", table).with(values).remedy(remedy));
  }

  /**
   * As {@link #of}, by what the client knows of the table's indexes. It has the mark of a refusal
   * by a server: the client looks the table up again, and repeats the operation if the indexes are
   * others now.
   */
  public static IndexRefusedException asKnown(
      TableName table, String rule, String values, String remedy) {
    return of(table, rule, values, remedy + " " + Refusal.LAYOUT.mark());
  }

  /**
   * The refusal of a condition on fields that only indexes have.
   *
   * @param obstacles for each index, why it cannot serve the condition
   */
  public static IndexRefusedException noneServes(TableName table, String obstacles) {
    return asKnown(
        table,
        "condition that only an index can serve, and none can",
        "indexes=" + obstacles,
        NextStep.NAME_INDEX + " to read the rows that have an entry: select().by(\"…\")");
  }

  /**
   * Why an entry could not be written or read, as the client acts on it: it looks the indexes up
   * again if the table of the index is not there any more.
   *
   * @return the same failure, unless it is that
   */
  public static Throwable entryFailed(TableName index, Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof TableNotFoundException || cause instanceof TableNotEnabledException) {
        IndexRefusedException refused =
            asKnown(
                index,
                "table of an index is not there",
                "reason=" + cause.getClass().getSimpleName(),
                "if the index was dropped, begin the read again; else enable its table");
        refused.initCause(failure);
        return refused;
      }
    }
    return failure;
  }

  /** Names the index in a failure that is thrown. */
  public static IOException entryFailed(TableName index, IOException failure) {
    return entryFailed(index, (Throwable) failure) instanceof IOException named ? named : failure;
  }
}
