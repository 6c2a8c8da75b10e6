/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.layout.size.RegionCount;
import io.evenkey.layout.size.SizeRule;
import io.evenkey.layout.size.TableLoad;
import io.evenkey.report.json.RegionCountJson;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code evenkey size}. */
@Command(
    name = "size",
    header = "Calculate how many regions a table should have.",
    description = {
      "",
      "Applies the common rules of thumb, and shows each with its source and its limits. If "
          + "they contradict each other, all are shown: the choice is yours.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = "  evenkey size --gb 800 --servers 12 --write-heavy",
    sortOptions = false)
final class SizeCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--gb",
      required = true,
      paramLabel = "N",
      description = "Gigabytes of data as stored: compressed, one replica.")
  private double gigabytes;

  @ArgGroup private Weight weight = new Weight();

  @Option(
      names = "--write-mb",
      paramLabel = "N",
      description = "Peak write rate in megabytes per second.")
  private double writeMegabytes;

  @Option(names = "--servers", paramLabel = "N", description = "Number of region servers.")
  private int servers;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  /** The dominant load; at most one option. */
  static final class Weight {
    @Option(names = "--scan-heavy", description = "Scans matter most: fewer regions.")
    private boolean scans;

    @Option(names = "--write-heavy", description = "Writes matter most: more regions.")
    private boolean writes;

    private TableLoad.Weight value() {
      return scans
          ? TableLoad.Weight.SCANS
          : writes ? TableLoad.Weight.WRITES : TableLoad.Weight.EVEN;
    }
  }

  SizeCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    RegionCount count = RegionCount.of(workload());
    if (json) {
      console.json(RegionCountJson.of(count));
      return CommandLine.ExitCode.OK;
    }
    console.out().println("regions  " + count.regions());
    console.out().println();
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("RULE", "REGIONS", "HOLDS FOR", "SOURCE"));
    for (SizeRule rule : count.rules()) {
      rows.add(List.of(rule.rule(), rule.figure(), rule.validity(), rule.source()));
    }
    console.table(rows);
    console.warnings(
        count.conflicts().stream().map(conflict -> "rules disagree: " + conflict).toList());
    return CommandLine.ExitCode.OK;
  }

  private TableLoad workload() {
    if (!(gigabytes > 0) || Double.isInfinite(gigabytes)) {
      throw UsageErrors.outOfRange(
          spec, "--gb", gigabytes, "give the size in gigabytes, more than 0");
    }
    if (!(writeMegabytes >= 0) || Double.isInfinite(writeMegabytes)) {
      throw UsageErrors.outOfRange(
          spec, "--write-mb", writeMegabytes, "give megabytes per second, 0 or more");
    }
    if (servers < 0) {
      throw UsageErrors.outOfRange(spec, "--servers", servers, "give the number of region servers");
    }
    return new TableLoad(gigabytes, weight.value(), writeMegabytes, servers);
  }
}
