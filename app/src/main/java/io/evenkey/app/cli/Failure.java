package io.evenkey.app.cli;

import io.evenkey.jobs.file.FileRefusedException;
import io.evenkey.jobs.input.InputException;
import io.evenkey.layout.text.LayoutException;
import java.io.PrintStream;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.jspecify.annotations.Nullable;
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
  private final PrintStream err;

  Failure(PrintStream err) {
    this.err = err;
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult arguments) {
    boolean verbose =
        command.getCommandSpec().root().userObject() instanceof Evenkey root && root.verbose();
    err.println("evenkey: " + text(e));
    if (verbose) {
      e.printStackTrace(err);
    }
    return isInput(e) ? ExitCode.USAGE : ExitCode.SOFTWARE;
  }

  private static boolean isInput(Exception e) {
    return e instanceof LayoutException
        || e instanceof InputException
        || e instanceof FileRefusedException
        || e instanceof ParameterException;
  }

  private static String text(Exception e) {
    if (e instanceof TableNotFoundException) {
      return "no such table: table=" + firstLine(e.getMessage()) + "; 'evenkey create' creates one";
    }
    if (e instanceof NamespaceNotFoundException) {
      return "no such namespace: namespace="
          + firstLine(e.getMessage())
          + "; create it in HBase first: create_namespace '"
          + firstLine(e.getMessage())
          + "'";
    }
    if (e instanceof TableExistsException) {
      return "table exists: " + firstLine(e.getMessage()) + "; nothing was changed";
    }
    String message = e.getMessage();
    // HBase's messages go on for pages; the log has the rest.
    String first = message == null ? "" : isInput(e) ? message : firstLine(message);
    return first.isBlank() ? e.getClass().getSimpleName() + "; --verbose shows where" : first;
  }

  private static String firstLine(@Nullable String message) {
    String first = message == null ? "" : message.lines().findFirst().orElse("");
    // HBase puts the class of an exception from a server before its message.
    return first.replaceFirst("^org\\.apache\\.hadoop\\.hbase\\.\\w+: ", "");
  }
}
