package io.evenkey.app.cli;

import io.evenkey.client.cell.CellColumn;
import io.evenkey.jobs.query.RowQuery;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which rows of a table a command is about. */
final class QueryOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--where",
      paramLabel = "CONDITION",
      description = "On the fields of the key, such as \"device = 'x' and ts >= 2026-01-01\".")
  private @Nullable String where;

  @Option(names = "--limit", paramLabel = "N", description = "At most so many rows.")
  private @Nullable Integer limit;

  @Option(names = "--reversed", description = "Last key first.")
  private boolean reversed;

  @Option(
      names = "--column",
      paramLabel = "F:Q[=NAME][:TYPE]",
      converter = CellColumnConverter.class,
      description = {
        "A column to show, under another name if given; TYPE as in 'evenkey import'. All, as",
        "text, unless any is given; rows without any of those given are left out."
      })
  private List<CellColumn> columns = List.of();

  RowQuery query() {
    if (limit != null && limit < 1) {
      throw UsageErrors.outOfRange(command, "--limit", limit, "ask for 1 row or more");
    }
    return new RowQuery(where, limit == null ? 0 : limit, reversed, columns);
  }
}
