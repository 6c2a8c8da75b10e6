/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.cli;

import io.evenkey.app.failure.Problem;
import io.evenkey.jobs.file.FileRefusedException;
import io.evenkey.jobs.records.InputException;
import io.evenkey.layout.text.LayoutException;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Turns a command's exception into its last line and its exit code: 2 if arguments or input are
 * invalid and nothing was changed, 1 if the command failed.
 */
final class Failure implements IExecutionExceptionHandler {
  private static final String DETAILS = "--verbose shows where";

  private final PrintStream err;

  Failure(PrintStream err) {
    this.err = err;
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult arguments) {
    boolean verbose =
        command.getCommandSpec().root().userObject() instanceof Evenkey root && root.verbose();
    return end(e, verbose, names(arguments));
  }

  // A comparison has two tables: only its exceptions can name the one that failed.
  private static Map<String, String> names(ParseResult arguments) {
    ParseResult last = arguments;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    Map<String, String> names = new HashMap<>();
    if (!last.hasMatchedOption("--against")) {
      last.matchedPositionals().stream()
          .filter(argument -> argument.paramLabel().equals("TABLE"))
          .flatMap(argument -> argument.originalStringValues().stream())
          .findFirst()
          .ifPresent(table -> names.put("table", table));
    }
    return names;
  }

  /**
   * Prints the failure, and returns the exit code.
   *
   * @param names names from the command line, for a failure whose exceptions lack them
   */
  int end(Throwable e, boolean verbose, Map<String, String> names) {
    err.println("evenkey: " + line(e, names));
    if (verbose) {
      e.printStackTrace(err);
    }
    return isInput(e) ? ExitCode.USAGE : ExitCode.SOFTWARE;
  }

  // An error in the input is shown with its position, on more than one line.
  private static String line(Throwable e, Map<String, String> names) {
    String message = e.getMessage();
    return isInput(e) && message != null && !message.isBlank()
        ? message
        : Problem.of(e, DETAILS, names).line();
  }

  /** The failure as one line of text. */
  static String text(Throwable e) {
    return Problem.of(e, DETAILS).line();
  }

  private static boolean isInput(Throwable e) {
    return e instanceof LayoutException
        || e instanceof InputException
        || e instanceof FileRefusedException
        || e instanceof ParameterException;
  }
}
