/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.cell.CellColumn;
import io.evenkey.jobs.query.RowQuery;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options that select rows of a table. */
final class QueryOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--where",
      paramLabel = "CONDITION",
      description =
          "Condition on key fields, such as \"device = 'x' and ts >= 2026-01-01\"; fields of the"
              + " table's key, or of an index.")
  private @Nullable String where;

  @Option(names = "--limit", paramLabel = "N", description = "Maximum number of rows.")
  private @Nullable Integer limit;

  @Option(names = "--reversed", description = "In reverse key order.")
  private boolean reversed;

  @Option(
      names = "--column",
      paramLabel = "F:Q[=NAME][:TYPE]",
      converter = CellColumnConverter.class,
      description =
          "A column to show, optionally under another name; TYPE as in 'evenkey import'. Default: "
              + "all columns, as text. Rows without any of the given columns are left out.")
  private List<CellColumn> columns = List.of();

  @Option(
      names = "--by",
      paramLabel = "INDEX|TABLE",
      description =
          "Read through this index, in its order; or, given the table's name, by the table's own"
              + " key. Default: an index if only it has the fields of the condition, or if it reads"
              + " less in the same order.")
  private @Nullable String by;

  @Option(
      names = "--any-order",
      description = "Read through the index that reads least, whatever its order.")
  private boolean anyOrder;

  RowQuery query() {
    if (limit != null && limit < 1) {
      throw UsageErrors.outOfRange(command, "--limit", limit, "ask for 1 row or more");
    }
    return new RowQuery(where, limit == null ? 0 : limit, reversed, columns, anyOrder, by);
  }
}
