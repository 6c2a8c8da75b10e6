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
 * Turns what a command threw into its last line and its exit code: 2 where what was given is wrong
 * and nothing was done, 1 where the work failed.
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

  // A comparison has two tables: which of them failed, its exceptions have to tell.
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
   * Writes what happened, and gives the exit code.
   *
   * @param names that the command line has, for a failure that does not tell them
   */
  int end(Throwable e, boolean verbose, Map<String, String> names) {
    err.println("evenkey: " + line(e, names));
    if (verbose) {
      e.printStackTrace(err);
    }
    return isInput(e) ? ExitCode.USAGE : ExitCode.SOFTWARE;
  }

  // What is wrong in the input is shown with its place, which takes more than one line.
  private static String line(Throwable e, Map<String, String> names) {
    String message = e.getMessage();
    return isInput(e) && message != null && !message.isBlank()
        ? message
        : Problem.of(e, DETAILS, names).line();
  }

  /** What happened, for people. */
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
