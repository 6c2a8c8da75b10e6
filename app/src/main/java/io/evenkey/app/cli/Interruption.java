/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * What a long command says when Ctrl-C or a SIGTERM ends it: what it has done, and how to go on.
 * Closed when the command has ended.
 */
final class Interruption implements AutoCloseable {
  private static final Set<String> ALWAYS = Set.of("--conf", "--quorum", "-D");

  private final Consumer<String> printer;
  private final Thread hook = new Thread(this::say, "interruption");
  private volatile @Nullable Supplier<String> text;

  Interruption(Consumer<String> printer) {
    this.printer = printer;
  }

  /** Sets what is said from now on; replaces what was set before. */
  void says(Supplier<String> now) {
    boolean first = text == null;
    text = now;
    if (first) {
      try {
        Runtime.getRuntime().addShutdownHook(hook);
      } catch (IllegalStateException e) {
        // This process ends already.
        text = null;
      }
    }
  }

  /** Sets that the work is done, and only its report is missing. */
  void finished(String what) {
    says(() -> what + "; only its report is missing");
  }

  void say() {
    Supplier<String> last = text;
    if (last != null) {
      printer.accept(last.get());
    }
  }

  /** What a command says that only reads. */
  static String nothingChanged(CommandSpec command) {
    return "nothing was changed; begin again with: " + sameCommand(command);
  }

  /** The command as the user gave it, for a shell. */
  static String sameCommand(CommandSpec command) {
    return command(command, null);
  }

  /** The command with an option more. */
  static String commandWith(CommandSpec command, String option) {
    return command(command, null, option);
  }

  /**
   * The command with some of its options only, and with others.
   *
   * @param kept the options to keep in addition to those that name the cluster; null for all
   */
  static String command(CommandSpec command, @Nullable Set<String> kept, String... more) {
    ParseResult parsed = command.commandLine().getParseResult();
    List<String> words = new ArrayList<>(List.of(command.qualifiedName()));
    List<String> options = new ArrayList<>();
    for (ArgSpec argument : new LinkedHashSet<>(parsed.matchedArgs())) {
      List<String> values = argument.originalStringValues();
      if (!(argument instanceof OptionSpec option)) {
        values.forEach(value -> words.add(Shell.quoted(value)));
        continue;
      }
      String name = option.names()[0];
      boolean again = Arrays.asList(more).contains(name);
      if (again || kept != null && !kept.contains(name) && !ALWAYS.contains(name)) {
        continue;
      }
      if (option.arity().max() == 0) {
        options.add(name);
      } else {
        values.forEach(value -> options.add(name + " " + Shell.quoted(value)));
      }
    }
    words.addAll(List.of(more));
    words.addAll(options);
    return String.join(" ", words);
  }

  /** The command has ended by itself. */
  @Override
  public void close() {
    if (text != null) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // It has begun to speak.
      }
    }
  }
}
