/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The number of rows of a table that a command samples. */
final class SampleOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--sample",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Number of rows to read (default ${DEFAULT-VALUE}).")
  private int rows = 10_000;

  /** 1 or more. */
  int rows() {
    if (rows < 1) {
      throw UsageErrors.outOfRange(command, "--sample", rows, "read 1 row or more");
    }
    return rows;
  }
}
