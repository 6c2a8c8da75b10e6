/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.advisor.sample.Sample;
import io.evenkey.jobs.records.InputException;
import io.evenkey.jobs.records.KeyColumns;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.jobs.records.RowQuantiles;
import io.evenkey.jobs.records.WrittenTimes;
import io.evenkey.layout.Layout;
import io.evenkey.report.sample.RecordSample;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The unit of whole numbers in a file's times. */
final class TimeUnitOption {
  /** So many records show what the columns are. */
  private static final int FIRST = 1_000;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--time-unit",
      paramLabel = "UNIT",
      description =
          "Unit of the whole numbers in fields of type timestamp: s, ms, us, ns, or a pattern such "
              + "as yyyyMMdd (default ms).")
  private @Nullable String unit;

  /** The rows of a file's records under a layout; warns of times that are hardly what they seem. */
  RowQuantiles rows(RecordSource source, Layout layout, Console console) throws InputException {
    KeyColumns keys = KeyColumns.of(source, layout, times());
    int columns = source.columns().size();
    Sample.Builder first = new Sample.Builder(source.columns());
    RowQuantiles rows =
        keys.quantiles(
            (record, number) -> {
              if (number < FIRST) {
                first.add(RecordSample.values(record, columns));
              }
            });
    console.warningNotes(keys.oddTimes().warnings());
    console.warningNotes(first.build().unsortedTimes(layout));
    return rows;
  }

  /** Null if the option was not given: the numbers are milliseconds, and odd ones are warned of. */
  @Nullable WrittenTimes times() {
    try {
      return unit == null ? null : WrittenTimes.of(unit);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), "--time-unit: " + e.getMessage(), e);
    }
  }
}
