/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.client.cell.CellColumn;
import io.evenkey.jobs.load.LoadOptions;
import io.evenkey.jobs.mapreduce.BulkLoad;
import io.evenkey.jobs.records.Format;
import io.evenkey.report.cluster.WorkDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Connection;

/** A bulk load of orders, as {@code import --bulk} makes it: by a job in this process. */
final class BulkImport {
  private static final List<CellColumn> COLUMNS =
      Stream.of("customer", "shop", "state").map(name -> CellColumn.text("d", name)).toList();

  private BulkImport() {}

  /**
   * Loads a file into a table and the tables of its indexes.
   *
   * @param plain a connection to which rows are what is stored
   */
  static void run(Connection plain, OrderTable table, Path csv) throws IOException {
    LoadOptions options =
        LoadOptions.to(
                csv.resolveSibling("orders.rejects.csv"), csv.resolveSibling("orders.checkpoint"))
            .columns(COLUMNS)
            .replace(true)
            .build();
    BulkLoad load =
        BulkLoad.of(
            table.name(),
            table.layout(),
            List.of(new org.apache.hadoop.fs.Path(csv.toUri())),
            Format.CSV,
            options);
    try (WorkDirectory directory = WorkDirectory.of(null)) {
      load.run(plain, directory.path(), share -> {});
    }
  }
}
