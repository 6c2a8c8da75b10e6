/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.report.terminal.Shell;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

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

  /** The message of a command that only reads. */
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

  /** Another command on the same cluster. */
  static String otherCommand(CommandSpec command, String words) {
    return String.join(" ", Stream.concat(Stream.of(words), options(command, Set.of())).toList());
  }

  /**
   * The command with some of its options only, and with others.
   *
   * @param kept the options to keep in addition to those that name the cluster; null for all
   */
  static String command(CommandSpec command, @Nullable Set<String> kept, String... more) {
    List<String> words = new ArrayList<>(List.of(command.qualifiedName()));
    given(command)
        .filter(argument -> !argument.isOption())
        .flatMap(argument -> argument.originalStringValues().stream())
        .forEach(value -> words.add(Shell.quoted(value)));
    words.addAll(List.of(more));
    options(command, kept, more).forEach(words::add);
    return String.join(" ", words);
  }

  private static Stream<ArgSpec> given(CommandSpec command) {
    return command.commandLine().getParseResult().matchedArgs().stream().distinct();
  }

  private static Stream<String> options(
      CommandSpec command, @Nullable Set<String> kept, String... without) {
    return given(command)
        .filter(OptionSpec.class::isInstance)
        .map(OptionSpec.class::cast)
        .filter(option -> !List.of(without).contains(option.names()[0]))
        .filter(
            option ->
                kept == null
                    || kept.contains(option.names()[0])
                    || ALWAYS.contains(option.names()[0]))
        .flatMap(
            option ->
                option.arity().max() == 0
                    ? Stream.of(option.names()[0])
                    : option.originalStringValues().stream()
                        .map(value -> option.names()[0] + " " + Shell.quoted(value)));
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
