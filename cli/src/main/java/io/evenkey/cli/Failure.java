/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.jobs.file.FileRefusedException;
import io.evenkey.jobs.records.InputException;
import io.evenkey.layout.message.Suggestion;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.failure.FailureKind;
import io.evenkey.report.failure.Problem;
import io.evenkey.report.terminal.Prose;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Turns a command's exception into its last line and its exit code: 2 if arguments or input are
 * invalid and nothing was changed, 1 if the command failed.
 */
final class Failure implements IExecutionExceptionHandler {
  private static final String DETAILS = "--verbose shows where";

  private final PrintStream err;
  private final int columns;

  /**
   * @param columns the width of the terminal behind {@code err}; 0 if it is none
   */
  Failure(PrintStream err, int columns) {
    this.err = err;
    this.columns = columns;
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult arguments) {
    boolean verbose =
        command.getCommandSpec().root().userObject() instanceof Evenkey root && root.verbose();
    ParseResult last = last(arguments);
    return end(
        e,
        verbose,
        names(arguments),
        table -> similarTable(table, last),
        option -> last.commandSpec().findOption(option) != null);
  }

  private static ParseResult last(ParseResult arguments) {
    ParseResult last = arguments;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    return last;
  }

  // The cluster has just answered that it has no such table.
  private static Optional<String> similarTable(String table, ParseResult arguments) {
    Object option =
        arguments.commandSpec().mixins().values().stream()
            .map(CommandSpec::userObject)
            .filter(ClusterOption.class::isInstance)
            .findFirst()
            .orElse(null);
    if (!(option instanceof ClusterOption cluster)) {
      return Optional.empty();
    }
    try (Cluster open = cluster.openBriefly()) {
      return Suggestion.closest(table, ClusterNames.tables(open));
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  // A comparison has two tables: only its exceptions can name the one that failed.
  private static Map<String, String> names(ParseResult arguments) {
    ParseResult last = last(arguments);
    if (last.hasMatchedOption("--against")) {
      return Map.of();
    }
    return last.matchedPositionals().stream()
        .filter(argument -> argument.paramLabel().equals("TABLE"))
        .flatMap(argument -> argument.originalStringValues().stream())
        .findFirst()
        .map(table -> Map.of("table", table))
        .orElse(Map.of());
  }

  /**
   * Prints the failure, and returns the exit code.
   *
   * @param names names from the command line, for a failure whose exceptions lack them
   */
  int end(Throwable e, boolean verbose, Map<String, String> names) {
    return end(e, verbose, names, table -> Optional.empty(), option -> true);
  }

  private int end(
      Throwable e,
      boolean verbose,
      Map<String, String> names,
      Function<String, Optional<String>> similar,
      Predicate<String> options) {
    String line = CommandWords.in(line(e, names, similar), names.get("table"), options);
    err.println(Prose.wrapped("evenkey: " + line, columns));
    if (verbose) {
      e.printStackTrace(err);
    }
    return isInput(e) ? ExitCode.USAGE : ExitCode.SOFTWARE;
  }

  // An error in the input is shown with its position, on more than one line.
  private static String line(
      Throwable e, Map<String, String> names, Function<String, Optional<String>> similar) {
    String message = e.getMessage();
    if (isInput(e) && message != null && !message.isBlank()) {
      return message;
    }
    Problem problem = Problem.of(e, DETAILS, names);
    String table = problem.kind() == FailureKind.NO_SUCH_TABLE ? names.get("table") : null;
    return table == null
        ? problem.line()
        : similar
            .apply(table)
            .map(meant -> problem.line().replaceFirst("; ", "; did you mean " + meant + "? "))
            .orElse(problem.line());
  }

  /** The failure as one line of text. */
  static String text(Throwable e) {
    return CommandWords.in(Problem.of(e, DETAILS).line());
  }

  private static boolean isInput(Throwable e) {
    return e instanceof LayoutException
        || e instanceof InputException
        || e instanceof FileRefusedException
        || e instanceof ParameterException;
  }
}
