/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.report.launch.PortalStarter;
import io.evenkey.report.terminal.Controls;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command line's root. */
@Command(
    name = "evenkey",
    header = "Row keys for Apache HBase, described by one line.",
    description = {
      "",
      "A layout line describes how row keys are built. Evenkey derives the key bytes and "
          + "region boundaries from it, spreads writes evenly and scans in logical key order.",
      ""
    },
    footerHeading = "%nFirst steps:%n",
    footer = {
      "  evenkey demo                see it work in a real HBase in this process",
      "  evenkey explain 'salt(16) + device:string + ts:timestamp desc' \\",
      "      --set device=d1 --set ts=2026-01-31T08:30Z",
      "",
      "Exit codes: 0 success; 1 failure; 2 invalid arguments or input, nothing changed."
    },
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DemoCommand.class,
      InitCommand.class,
      ExplainCommand.class,
      DecodeCommand.class,
      RangesCommand.class,
      SplitsCommand.class,
      SizeCommand.class,
      AdviseCommand.class,
      PlanCommand.class,
      CreateCommand.class,
      AdoptCommand.class,
      MigrateCommand.class,
      GrowCommand.class,
      RegionsCommand.class,
      IndexCommand.class,
      VerifyCommand.class,
      ImportCommand.class,
      ExportCommand.class,
      ScanCommand.class,
      GetCommand.class,
      PutCommand.class,
      CountCommand.class,
      HeatCommand.class,
      ServerCommand.class,
      DoctorCommand.class,
      DevCommand.class,
      PortalCommand.class,
      CompletionCommand.class
    })
public final class Evenkey implements Callable<Integer> {
  /** Stands for what the locale could not decode. */
  private static final char REPLACEMENT = '\uFFFD';

  /** The system property of the terminal's width, which the launchers set. */
  static final String COLUMNS = "evenkey.columns";

  private static final int HELP_WIDTH = 100;
  private static final int LEAST_HELP_WIDTH = 60;
  private static final int UNBROKEN_WIDTH = 5_000;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  @SuppressWarnings("UnusedVariable") // picocli acts on it
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version.")
  @SuppressWarnings("UnusedVariable") // picocli acts on it
  private boolean version;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Show the stack trace of an error.")
  private boolean verbose;

  private Evenkey() {}

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Reports the missing command and lists the available ones. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return CommandLine.ExitCode.USAGE;
  }

  boolean verbose() {
    return verbose;
  }

  /** Runs a command, passes it the portal's starter, and exits with the command's exit code. */
  public static void main(PortalStarter portal, String[] arguments) {
    // Commands write through the console; other output of libraries would corrupt theirs.
    System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    PrintStream err = utf8(FileDescriptor.err);
    System.setErr(new StandardError(new FileOutputStream(FileDescriptor.err)));
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) ->
            err.println(
                "evenkey: thread " + thread.getName() + " ended: " + Failure.text(failure)));
    System.exit(run(portal, utf8(FileDescriptor.out), err, arguments));
  }

  // Independent of the platform's locale: JSON is UTF-8, and so are today's terminals.
  private static PrintStream utf8(FileDescriptor stream) {
    return new PrintStream(new FileOutputStream(stream), true, StandardCharsets.UTF_8);
  }

  /** The model of all commands, with their rights, for manual pages; none of them can be run. */
  public static CommandSpec documented() {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    PortalStarter none =
        (settings, cluster) -> {
          throw new IllegalStateException("a model of commands has no portal");
        };
    CommandLine all = commandLine(none, nowhere, nowhere);
    // Picocli breaks a line within a name, and its markup with it.
    all.setUsageHelpWidth(UNBROKEN_WIDTH);
    Rights.InFooter.addTo(all);
    return all.getCommandSpec();
  }

  /** Runs a command with these streams and returns its exit code. */
  public static int run(
      PortalStarter portal, PrintStream out, PrintStream err, String... arguments) {
    for (String argument : arguments) {
      if (argument.indexOf(REPLACEMENT) >= 0) {
        Controls.text(err)
            .println(
                "evenkey: argument that is not text in this locale: argument="
                    + argument
                    + "; set LC_ALL to a UTF-8 locale that is installed: locale -a");
        return CommandLine.ExitCode.USAGE;
      }
    }
    Console console = new Console(out, err, Integer.getInteger(COLUMNS, 0));
    CommandLine commandLine = commandLine(portal, console, out, err);
    try {
      return commandLine.execute(arguments);
    } catch (Error e) {
      // picocli passes errors on, such as Hadoop's for a full disk: they are reported as failures.
      return new Failure(console.err(), console.columns())
          .end(e, commandLine.<Evenkey>getCommand().verbose, Map.of());
    } finally {
      console.ended();
    }
  }

  /** All commands, with these streams. */
  static CommandLine commandLine(PortalStarter portal, PrintStream out, PrintStream err) {
    return commandLine(portal, new Console(out, err, Integer.getInteger(COLUMNS, 0)), out, err);
  }

  private static CommandLine commandLine(
      PortalStarter portal, Console console, PrintStream out, PrintStream err) {
    int columns = console.columns();
    CommandLine commandLine = new CommandLine(new Evenkey(), new CommandFactory(console, portal));
    CheckoutCommand.addTo(commandLine, console);
    commandLine.setUsageHelpWidth(
        columns == 0 ? HELP_WIDTH : Math.max(LEAST_HELP_WIDTH, Math.min(HELP_WIDTH, columns)));
    commandLine.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
    commandLine.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
    commandLine.setExecutionExceptionHandler(new Failure(console.err(), columns));
    commandLine.setParameterExceptionHandler(new UsageErrors());
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    commandLine.setAbbreviatedOptionsAllowed(false);
    CommandGroups.addTo(commandLine);
    Rights.InHelp.addTo(commandLine);
    return commandLine;
  }
}
