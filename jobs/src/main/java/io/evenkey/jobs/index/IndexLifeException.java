/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.jobs.mapreduce.TaskFailures;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.failure.FailureCode;
import io.evenkey.layout.message.FailureMessage;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.ipc.RemoteException;
import org.jspecify.annotations.Nullable;

/** An index that cannot be added, filled or dropped as things are. Nothing is lost then. */
final class IndexLifeException extends EvenkeyException {
  private static final long serialVersionUID = 1L;

  private IndexLifeException(@Nullable TableName table, String message) {
    super(FailureCode.INDEX_CHANGE, table == null ? null : table.getNameAsString(), message, null);
  }

  /** The refusal of a task of a job. */
  static IndexLifeException ofTask(RemoteException failure) {
    String line = TaskFailures.firstLine(failure);
    String type = IndexLifeException.class.getName() + ": ";
    return new IndexLifeException(
        null, line.startsWith(type) ? line.substring(type.length()) : line);
  }

  /**
   * A refusal.
   *
   * @param rule the broken rule
   * @param values {@code name=value}, separated by blanks; may be empty
   * @param remedy the way out
   */
  static IndexLifeException of(TableName table, String rule, String values, String remedy) {
    return new IndexLifeException(
        table, FailureMessage.of(rule).with("table", table).with(values).remedy(remedy));
  }
}
