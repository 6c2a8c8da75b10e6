/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.cli;

import io.evenkey.jobs.records.WrittenTimes;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The unit of whole numbers in a file's times. */
final class TimeUnitOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--time-unit",
      paramLabel = "UNIT",
      description =
          "Unit of the whole numbers in fields of type timestamp: s, ms, us, ns, or a pattern such "
              + "as yyyyMMdd (default ms).")
  private @Nullable String unit;

  /** Null if the option was not given: the numbers are milliseconds, and odd ones are warned of. */
  @Nullable WrittenTimes times() {
    try {
      return unit == null ? null : WrittenTimes.of(unit);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), "--time-unit: " + e.getMessage(), e);
    }
  }
}
