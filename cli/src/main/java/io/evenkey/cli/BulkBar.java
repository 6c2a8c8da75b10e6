/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.jobs.mapreduce.BulkLoad;
import io.evenkey.report.terminal.Progress;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/** A bulk load on a terminal: a line for each stage, and the progress of the whole below it. */
final class BulkBar implements BulkLoad.Listener, AutoCloseable {
  private static final int FULL = 100;

  private final Console console;
  private final TableName table;
  private final boolean quiet;
  private @Nullable Progress bar;

  /**
   * @param quiet whether to print no stages
   */
  BulkBar(Console console, TableName table, boolean quiet) {
    this.console = console;
    this.table = table;
    this.quiet = quiet;
  }

  @Override
  public void begins(Path made) {
    console.note("HFiles are written to " + made + "; delete it if this process is killed");
  }

  @Override
  public void stage(BulkLoad.Stage stage) {
    close();
    if (!quiet) {
      console.note(
          switch (stage) {
            case ENCODE -> "encode: rows are made of the records";
            case SORT -> "sort: the rows of each region are written to its files";
            case LOAD -> "load: region servers take the files over";
          });
    }
  }

  @Override
  public void progress(double share) {
    if (bar == null) {
      bar = console.shareProgress("import " + table);
    }
    bar.to(Math.round(FULL * share));
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
