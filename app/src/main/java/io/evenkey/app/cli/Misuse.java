package io.evenkey.app.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** A command line that cannot be understood: one line that says so, and where the help is. */
final class Misuse implements IParameterExceptionHandler {
  /** A value of an option that is none it takes; the remedy says what it does take. */
  static ParameterException outOfRange(
      CommandSpec command, String option, Object value, String remedy) {
    return new ParameterException(
        command.commandLine(), "out of range: " + option + "=" + value + "; " + remedy);
  }

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName();
    err.println(
        "evenkey: "
            + String.valueOf(e.getMessage()).replace('\n', ' ')
            + "; '"
            + name
            + " --help' shows what it takes");
    UnmatchedArgumentException.printSuggestions(e, err);
    return ExitCode.USAGE;
  }
}
