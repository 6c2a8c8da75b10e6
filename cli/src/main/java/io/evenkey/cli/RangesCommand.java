/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.jobs.records.OddTimes;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.scatter.Scatter;
import io.evenkey.layout.scatter.Where;
import io.evenkey.report.json.ScatterJson;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evenkey ranges}. */
@Command(
    name = "ranges",
    header = "Show the physical ranges that a condition on fields reads.",
    description = {
      "",
      "A condition compares fields with values (= != < <= > >=, between … and …, in (…, …), "
          + "starts with …), joined by 'and'. "
          + "An empty stop row is the end of the table.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  evenkey ranges 'salt(16, device) + device:string + ts:timestamp' \\",
      "      --where \"device = 'd1' and ts >= 2026-01-31 and ts < 2026-02-01\""
    },
    sortOptions = false)
final class RangesCommand implements Callable<Integer> {
  private static final int SHOWN = 20;

  private final Console console;

  @Mixin private LayoutArgument argument = new LayoutArgument();

  @Option(
      names = "--where",
      required = true,
      paramLabel = "CONDITION",
      description = "The condition, such as \"device = 'x' and ts >= 2026-01-01\".")
  private String condition = "";

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  RangesCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Layout layout = argument.layout();
    Where where = layout.where(condition);
    console.warningNotes(OddTimes.warnings(where));
    Scatter scatter = layout.scatter(where);
    List<String> filters = where.residual(scatter.exact());
    if (json) {
      console.json(ScatterJson.of(layout, where, scatter, Integer.MAX_VALUE));
      return CommandLine.ExitCode.OK;
    }
    console.out().println("fan-out  " + scatter.fanOut());
    for (int step : scatter.steps()) {
      console.out().println("step     " + layout.steps().described(step));
    }
    if (!scatter.ordered()) {
      console.out().println("order    none: the rows of a range are not in logical order");
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("START", "STOP (exclusive)"));
    for (KeyRange range : scatter.ranges().subList(0, Math.min(SHOWN, scatter.fanOut()))) {
      String stop = range.isOpenEnded() ? "(end)" : ByteText.printable(range.stop());
      rows.add(List.of(ByteText.printable(range.start()), stop));
    }
    console.table(rows);
    if (scatter.fanOut() > SHOWN) {
      console.out().println("… and " + (scatter.fanOut() - SHOWN) + " more; --json shows all");
    }
    filters.forEach(filter -> console.out().println("left for the server to filter: " + filter));
    return CommandLine.ExitCode.OK;
  }
}
