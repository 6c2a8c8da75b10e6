/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.setting.Setting;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;

/**
 * HBase's {@code Import} with Evenkey's connection. The files of an export have logical keys, or
 * rows as they are stored, by the connection that made them, and do not say which. Stored rows are
 * keys too for most layouts, and would get a second prefix without a word, so the job has to say
 * what it has. Stateless.
 */
final class ImportJob {
  /** The kind of the rows of an import through Evenkey's connection: {@code logical}. */
  static final String ROWS = Setting.IMPORT_ROWS.key();

  private static final String MAPPERS = "org.apache.hadoop.hbase.mapreduce.Import$";
  private static final String FILES =
      "org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat";

  private ImportJob() {}

  /**
   * Checks the configuration of a task that writes to a spread table.
   *
   * @throws DoNotRetryIOException if it is of an import that does not say what its rows are
   */
  static void check(Configuration task, TableName table) throws DoNotRetryIOException {
    // CopyTable has the same mappers, and reads a table.
    boolean isImport =
        task.get("mapreduce.job.map.class", "").startsWith(MAPPERS)
            && task.get("mapreduce.job.inputformat.class", "").equals(FILES);
    String rows = Setting.IMPORT_ROWS.text(task);
    if (isImport && !rows.equals("logical")) {
      throw new TableLayoutException(
          table,
          "import through Evenkey's connection does not say whether its files have logical or"
              + " stored rows",
          ROWS + "=" + (rows.isEmpty() ? "none" : rows),
          "for an export of logical keys, of a plain table or through Evenkey's connection,"
              + " set it to logical; import rows as they are stored with HBase's own connection");
    }
  }
}
