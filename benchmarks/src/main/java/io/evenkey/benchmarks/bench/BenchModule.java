/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.cli.CheckoutCommand;
import io.evenkey.cli.Console;
import picocli.CommandLine;

/** Adds {@code bench} to the command line. */
public final class BenchModule implements CheckoutCommand {
  @Override
  public CommandLine create(Console console) {
    return new CommandLine(new BenchCommand(console));
  }
}
