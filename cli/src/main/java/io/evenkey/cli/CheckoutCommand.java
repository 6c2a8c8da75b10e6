/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/**
 * A command of a module that is built on this one and comes with Evenkey's sources only: {@code
 * bench}, {@code cluster}. {@link ServiceLoader} finds it. Without the module, the command line
 * lists the command all the same and says where it is.
 */
public interface CheckoutCommand {
  /** Makes the command, with its subcommands; it prints to this console. */
  CommandLine create(Console console);

  /** Adds the commands that are on the class path, and a word on the others. */
  static void addTo(CommandLine root, Console console) {
    for (CheckoutCommand module : ServiceLoader.load(CheckoutCommand.class)) {
      CommandLine command = module.create(console);
      root.addSubcommand(command.getCommandName(), command);
    }
    for (Class<?> elsewhere : List.of(Bench.class, Cluster.class)) {
      String name = elsewhere.getAnnotation(Command.class).name();
      if (!root.getSubcommands().containsKey(name)) {
        root.addSubcommand(name, elsewhere);
      }
    }
  }

  /** A command without its module. */
  abstract class Elsewhere implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Unmatched
    @SuppressWarnings("UnusedVariable") // picocli fills it
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() {
      throw new ParameterException(
          spec.commandLine(),
          "command of Evenkey's sources, not of this archive: command="
              + spec.name()
              + "; get a checkout, then: ./evenkey "
              + spec.name());
    }
  }

  /** A command of the module {@code benchmarks}. */
  @Command(
      name = "bench",
      header = "Compare Evenkey with plain HBase, hand-written salting and Phoenix.",
      description = {"", "Runs from a checkout of Evenkey's sources: ./evenkey bench --help", ""},
      footerHeading = "%nExample:%n",
      footer = "  ./evenkey bench scan --buckets 16 --only limit_10")
  final class Bench extends Elsewhere {}

  /** A command of the module {@code cluster}. */
  @Command(
      name = "cluster",
      header = "Run a real cluster on this machine: HDFS, ZooKeeper, HBase and YARN.",
      description = {"", "Runs from a checkout of Evenkey's sources: ./evenkey cluster --help", ""},
      footerHeading = "%nExample:%n",
      footer = "  ./evenkey cluster up --servers 3")
  final class Cluster extends Elsewhere {}
}
