/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.internal.registry.Scope;
import io.evenkey.layout.message.Suggestion;
import io.evenkey.report.terminal.Controls;
import io.evenkey.report.terminal.Prose;
import java.io.PrintWriter;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Errors in a command line: one line with the error, and the command that shows the help. */
public final class UsageErrors implements IParameterExceptionHandler {
  /** A value outside an option's range; the remedy names the range. */
  public static ParameterException outOfRange(
      CommandSpec command, String option, Object value, String remedy) {
    return new ParameterException(
        command.commandLine(), "out of range: " + option + "=" + value + "; " + remedy);
  }

  /** Refuses a number that is neither a port nor 0 for any port. */
  static void checkPort(CommandSpec command, int port) {
    if (port < 0 || port > 65_535) {
      throw outOfRange(command, "--port", port, "give a port, or 0 for any");
    }
  }

  /** Refuses an {@code --every} of less than a second, or more than an hour. */
  static void checkEvery(CommandSpec command, int seconds) {
    if (seconds < 1 || seconds > 3_600) {
      throw outOfRange(command, "--every", seconds, "give 1 to 3600 seconds");
    }
  }

  /** Parses the name of a table. */
  static TableName tableName(CommandSpec command, String name) {
    return parsed(command, name, TableName::valueOf);
  }

  /** Parses a table, or a namespace with {@code :*}. */
  static Scope scope(CommandSpec command, String name) {
    return parsed(command, name, Scope::parse);
  }

  private static <T> T parsed(CommandSpec command, String name, Function<String, T> parser) {
    try {
      return parser.apply(name);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          command.commandLine(), "not the name of a table: " + name + "; " + e.getMessage());
    }
  }

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName();
    int columns = Integer.getInteger(Evenkey.COLUMNS, 0);
    String line =
        "evenkey: "
            + Controls.escaped(message(e).replace('\n', ' '))
            + "; "
            + (e instanceof UnmatchedArgumentException unknown ? meant(unknown) : "")
            + "'"
            + name
            + " --help' shows its arguments";
    err.println(Prose.wrapped(line, columns));
    return ExitCode.USAGE;
  }

  // The words after an unknown option are its values, or arguments in the place of others.
  private static String message(ParameterException e) {
    if (!(e instanceof UnmatchedArgumentException unknown)) {
      return String.valueOf(e.getMessage());
    }
    boolean isCommand = !e.getCommandLine().getSubcommands().isEmpty();
    return (unknown.isUnknownOption()
            ? "unknown option: "
            : isCommand ? "unknown command: " : "unexpected argument: ")
        + unknown.getUnmatched().get(0);
  }

  private static String meant(UnmatchedArgumentException e) {
    CommandSpec command = e.getCommandLine().getCommandSpec();
    String typed = e.getUnmatched().get(0);
    int value = typed.indexOf('=');
    return Suggestion.closest(
            value < 0 ? typed : typed.substring(0, value),
            e.isUnknownOption() ? command.optionsMap().keySet() : command.subcommands().keySet())
        .map(known -> "did you mean " + known + "? ")
        .orElse("");
  }
}
