/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.jobs.mapreduce.TaskFailures;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.ipc.RemoteException;

/** An index that cannot be added, filled or dropped as things are. Nothing is lost then. */
public final class IndexLifeException extends IOException {
  private static final long serialVersionUID = 1L;

  private IndexLifeException(String message) {
    super(message);
  }

  /** The refusal of a task of a job. */
  static IndexLifeException ofTask(RemoteException failure) {
    String line = TaskFailures.firstLine(failure);
    String type = IndexLifeException.class.getName() + ": ";
    return new IndexLifeException(line.startsWith(type) ? line.substring(type.length()) : line);
  }

  /**
   * A refusal.
   *
   * @param rule the broken rule
   * @param values {@code name=value}, separated by blanks; may be empty
   * @param remedy the way out
   */
  static IndexLifeException of(TableName table, String rule, String values, String remedy) {
    String more = values.isEmpty() ? "" : " " + values;
    return new IndexLifeException(rule + ": table=" + table + more + "; " + remedy);
  }
}
