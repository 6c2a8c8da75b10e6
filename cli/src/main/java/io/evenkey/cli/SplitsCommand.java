/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.jobs.records.Input;
import io.evenkey.jobs.records.InputException;
import io.evenkey.jobs.records.RowQuantiles;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.split.SplitAlgorithm;
import io.evenkey.layout.split.SplitPlan;
import io.evenkey.report.json.SplitKeysJson;
import io.evenkey.report.terminal.Amount;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code evenkey splits}. */
@Command(
    name = "splits",
    header = "Show the split points of a table.",
    description = {
      "",
      "bucket    between the buckets of the layout (the default without --csv); with more",
      "          regions than buckets, also inside buckets, at quantiles of the rows in --csv, so",
      "          that no region has rows of two buckets",
      "sample    at the quantiles of the rows in --csv (the default with --csv)",
      "hex       HBase's HexStringSplit",
      "decimal   HBase's DecimalStringSplit",
      "uniform   HBase's UniformSplit",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = "  evenkey splits 'salt(16) + device:string + ts:timestamp' --regions 16",
    sortOptions = false)
final class SplitsCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private DialectOptions dialect = new DialectOptions();
  @Mixin private TimeUnitOption timeUnit = new TimeUnitOption();

  @Mixin private LayoutArgument argument = new LayoutArgument();

  @Option(
      names = "--regions",
      required = true,
      paramLabel = "N",
      description = "Number of regions.")
  private int regions;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Records to sample, in any format of import.")
  private @Nullable Path csv;

  @Option(
      names = "--algorithm",
      paramLabel = "NAME",
      description = "Split algorithm: ${COMPLETION-CANDIDATES}.")
  private @Nullable SplitAlgorithm algorithm;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  SplitsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws InputException {
    Layout layout = argument.layout();
    RowQuantiles rows = null;
    if (csv != null) {
      rows = timeUnit.rows(dialect.read(Input.file(csv)), layout, console);
    }
    SplitPlan plan = plan(layout, rows);
    if (json) {
      console.json(
          new SplitKeysJson(
              plan.algorithm().toString(),
              plan.regions(),
              plan.keys().stream().map(ByteText::hex).toList(),
              rows == null ? null : new SplitKeysJson.RowSampleJson(rows.rows(), rows.error())));
      return CommandLine.ExitCode.OK;
    }
    console.out().println("algorithm  " + plan.algorithm());
    console.out().println("regions    " + plan.regions());
    if (rows != null) {
      console
          .out()
          .printf(
              Locale.ROOT,
              "sample     %s, %s%n",
              Amount.of(rows.rows(), "row"),
              rows.error() == 0
                  ? "all of them kept"
                  : String.format(
                      Locale.ROOT,
                      "boundaries within %.2f %% of the rows (99 %% sure)",
                      100 * rows.error()));
    }
    plan.keys().forEach(key -> console.out().println("split      " + ByteText.printable(key)));
    return CommandLine.ExitCode.OK;
  }

  private SplitPlan plan(Layout layout, @Nullable RowQuantiles rows) {
    SplitAlgorithm chosen =
        algorithm != null ? algorithm : csv == null ? SplitAlgorithm.BUCKET : SplitAlgorithm.SAMPLE;
    return switch (chosen) {
      case BUCKET ->
          rows == null
              ? layout.splits(regions)
              : SplitAlgorithm.byBucket(layout.spread(), regions, rows.sample());
      case SAMPLE -> {
        if (rows == null) {
          throw new ParameterException(
              spec.commandLine(), "no sample: --algorithm sample; give the records with --csv");
        }
        yield SplitAlgorithm.bySample(rows.sample(), regions);
      }
      case HEX, DECIMAL, UNIFORM -> chosen.splits(regions);
    };
  }
}
