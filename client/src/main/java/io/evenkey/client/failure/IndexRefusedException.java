/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.layout.failure.FailureCode;
import io.evenkey.layout.message.FailureMessage;
import io.evenkey.protocol.guard.Refusal;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;

/**
 * An operation on a table with indexes that the client or a region server rejected, because it
 * would break what indexes guarantee: that each row has its entry, and that a read through an index
 * finds every row.
 *
 * <p>Not retriable, code {@code index}. The message says what to do: name all indexed columns in a
 * put, for example, or read the table instead of an index that is still being filled.
 */
public final class IndexRefusedException extends DoNotRetryFailure {
  private static final long serialVersionUID = 1L;

  private IndexRefusedException(TableName table, String message) {
    super(FailureCode.INDEX, table, message);
  }

  /**
   * Rejects an operation.
   *
   * @param rule the broken rule
   * @param values {@code name=value} pairs, separated by blanks
   * @param remedy what to do
   */
  public static IndexRefusedException of(
      TableName table, String rule, String values, String remedy) {
    return new IndexRefusedException(
        table, FailureMessage.of(rule).with("table", table).with(values).remedy(remedy));
  }

  /**
   * Rejects an operation because of what the client knows of the table's indexes, which may be out
   * of date. The client treats it like a rejection by a region server: it looks the table up again,
   * and repeats the operation if the indexes have changed.
   */
  public static IndexRefusedException asKnown(
      TableName table, String rule, String values, String remedy) {
    return of(table, rule, values, remedy + " " + Refusal.LAYOUT.mark());
  }

  /**
   * Rejects a condition on fields that only indexes have, when none of them can be read.
   *
   * @param obstacles for each index, why it cannot be read by the condition
   */
  public static IndexRefusedException noneServes(TableName table, String obstacles) {
    return asKnown(
        table,
        "condition that only an index can serve, and none can",
        "indexes=" + obstacles,
        Remedy.NAME_INDEX + " to read the rows that have an entry: select().by(\"…\")");
  }

  /**
   * Translates a failure to read or write an entry. If the index's table no longer exists, the
   * result makes the client look the indexes up again.
   *
   * @return the failure to report; {@code failure} itself in all other cases
   */
  public static Throwable entryFailed(TableName index, Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof TableNotFoundException || cause instanceof TableNotEnabledException) {
        IndexRefusedException refused =
            asKnown(
                index,
                "table of an index does not exist or is disabled",
                "reason=" + cause.getClass().getSimpleName(),
                "if the index was dropped, begin the read again; otherwise enable its table");
        refused.initCause(failure);
        return refused;
      }
    }
    return failure;
  }

  /**
   * Translates a failure to read or write an entry, for callers that throw it. The message names
   * the index.
   */
  public static IOException entryFailed(TableName index, IOException failure) {
    return entryFailed(index, (Throwable) failure) instanceof IOException named ? named : failure;
  }
}
