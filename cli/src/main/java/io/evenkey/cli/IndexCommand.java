/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code evenkey index}. */
@Command(
    name = "index",
    header =
        "Give a table other key orders: add, list, show, verify, sweep, adopt and drop indexes.",
    description = {
      "",
      "An index is a separate table with its own layout line. Clients write its entries before the"
          + " rows, and read rows through it in its order. Indexed columns must not change after"
          + " they are written, unless the index was added with --mutable. All region servers need"
          + " Evenkey's guard.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenkey index add orders by_customer 'salt(8) + customer:string + ts:timestamp desc' \\",
      "      --from customer=d:customer",
      "  evenkey index list orders",
      "  evenkey index verify orders by_customer --repair"
    },
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      IndexAddCommand.class,
      IndexListCommand.class,
      IndexShowCommand.class,
      IndexVerifyCommand.class,
      IndexSweepCommand.class,
      IndexAdoptCommand.class,
      IndexDropCommand.class
    })
final class IndexCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  private IndexCommand() {}

  /** Reports the missing subcommand and lists the available ones. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return CommandLine.ExitCode.USAGE;
  }
}
