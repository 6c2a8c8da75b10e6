/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.report.cluster.Cluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The names that may stand at the end of an unfinished command line. Whoever presses Tab waits for
 * them: a cluster that does not answer at once has none.
 *
 * @param command the command
 * @param positionals the arguments before the word
 * @param options the words of the options that name the cluster
 * @param word the unfinished word
 */
record NameCompletion(
    CommandLine command, List<String> positionals, List<String> options, String word) {
  private static final Set<String> CLUSTER = Set.of("--quorum", "--conf", "-D");
  private static final List<String> IMPATIENT =
      List.of(
          "-D",
          "evenkey.zookeeper.timeout.ms=2000",
          "-D",
          "hbase.client.operation.timeout=2000",
          "-D",
          "hbase.client.meta.operation.timeout=2000",
          "-D",
          "hbase.client.retries.number=1");

  static NameCompletion of(CommandLine root, String line) {
    List<String> words = new ArrayList<>(Arrays.asList(line.stripLeading().split(" +", -1)));
    CommandLine command = root;
    List<String> positionals = new ArrayList<>();
    List<String> options = new ArrayList<>();
    for (int i = 1; i < words.size() - 1; i++) {
      String word = words.get(i);
      CommandLine sub = command.getSubcommands().get(word);
      if (word.startsWith("-")) {
        int value = word.indexOf('=');
        String name = value < 0 ? word : word.substring(0, value);
        OptionSpec option = command.getCommandSpec().findOption(name);
        boolean follows = value < 0 && option != null && option.arity().max() > 0;
        if (CLUSTER.contains(name)) {
          options.add(word);
          if (follows) {
            options.add(words.get(i + 1));
          }
        }
        if (follows) {
          i++;
        }
      } else if (sub != null && positionals.isEmpty()) {
        command = sub;
      } else {
        positionals.add(word);
      }
    }
    return new NameCompletion(command, positionals, options, words.get(words.size() - 1));
  }

  /** The names, of which none may be. */
  List<String> names() {
    CommandSpec spec = command.getCommandSpec();
    String label =
        spec.positionalParameters().stream()
            .filter(parameter -> parameter.index().contains(positionals.size()))
            .map(parameter -> parameter.paramLabel())
            .findFirst()
            .orElse("");
    if (!label.equals("TABLE") && !label.equals("INDEX")) {
      return List.of();
    }
    ClusterOption option = new ClusterOption();
    List<String> arguments = new ArrayList<>(IMPATIENT);
    arguments.addAll(options);
    new CommandLine(
            CommandSpec.wrapWithoutInspection(new Object()).addMixin("cluster", mixin(option)))
        .parseArgs(arguments.toArray(new String[0]));
    try (Cluster cluster = option.openBriefly()) {
      return names(cluster, label).stream().filter(name -> name.startsWith(word)).toList();
    } catch (IOException | RuntimeException e) {
      return List.of();
    }
  }

  private static CommandSpec mixin(ClusterOption option) {
    return CommandSpec.forAnnotatedObject(option);
  }

  private List<String> names(Cluster cluster, String label) throws IOException {
    if (label.equals("INDEX")) {
      // The index that is added has no name yet.
      return command.getCommandName().equals("add")
          ? List.of()
          : ClusterNames.indexes(cluster, TableName.valueOf(positionals.get(0)));
    }
    return switch (command.getCommandName()) {
      case "create" -> ClusterNames.plans(cluster);
      case "plan" -> {
        Set<String> all = new TreeSet<>(ClusterNames.plans(cluster));
        all.addAll(ClusterNames.tables(cluster));
        yield List.copyOf(all);
      }
      default -> ClusterNames.tables(cluster);
    };
  }
}
