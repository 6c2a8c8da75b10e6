/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.evenkey.report.terminal.Controls;
import io.evenkey.report.terminal.Progress;
import io.evenkey.report.terminal.Prose;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The output of commands: results go to {@code out}, everything else to {@code err}, so that output
 * can be piped and JSON is not mixed with other text. No text has control characters but line
 * breaks and tabs, whatever keys and values have.
 */
public final class Console {
  /** Set by the launcher if the input is a terminal. */
  private static final String INTERACTIVE = "evenkey.input";

  /** Clears the screen and the scroll-back buffer, and moves the cursor to the top left. */
  private static final String CLEAR = "\033[H\033[2J\033[3J";

  private final PrintStream data;
  private final PrintStream terminal;
  private final PrintStream out;
  private final PrintStream err;
  private final int columns;
  private final Interruption interruption = new Interruption(this::stopped);
  private volatile @Nullable Progress bar;

  /**
   * Prints to these streams.
   *
   * @param out results
   * @param err progress, notes and errors
   * @param columns width of the terminal behind {@code err} in characters; 0 if it is not a
   *     terminal
   */
  Console(PrintStream out, PrintStream err, int columns) {
    this.data = out;
    this.terminal = err;
    this.out = Controls.text(out);
    this.err = Controls.text(err);
    this.columns = columns;
  }

  /** For text. */
  public PrintStream out() {
    return out;
  }

  /** For notes and errors. */
  PrintStream err() {
    return err;
  }

  /** The width of the terminal behind {@link #err}; 0 if it is none. */
  public int columns() {
    return columns;
  }

  /** For data that another program reads: as it is. */
  PrintStream data() {
    return data;
  }

  /**
   * Clears the terminal behind {@code out}; text does not, of which control characters are shown.
   */
  void clear() {
    data.print(CLEAR);
    data.flush();
  }

  /** Prints one JSON document to {@code out}. */
  public void json(Object document) {
    try {
      PrintStream json = Controls.json(data);
      json.println(
          new ObjectMapper()
              .enable(SerializationFeature.INDENT_OUTPUT)
              .writeValueAsString(document));
      json.flush();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("figures and texts can always be written as JSON", e);
    }
  }

  Progress progress(String task, long total) {
    return progress(task, total, " rows");
  }

  /** The bar of a task; closed by the caller. */
  public Progress progress(String task, long total, String unit) {
    return shown(Progress.of(terminal, columns, task, total, unit));
  }

  Progress shareProgress(String task) {
    return shown(Progress.ofShare(terminal, columns, task));
  }

  Progress byteProgress(String task, long totalBytes) {
    return shown(Progress.ofBytes(terminal, columns, task, totalBytes));
  }

  private Progress shown(Progress progress) {
    bar = progress;
    return progress;
  }

  /** Sets what is printed if this process is asked to end, by Ctrl-C for instance. */
  void ifStopped(Supplier<String> text) {
    interruption.says(text);
  }

  /** Sets that the work is done, so that only its report is missing if this process is ended. */
  void finished(String what) {
    interruption.finished(what);
  }

  /** The command has ended. */
  void ended() {
    interruption.close();
  }

  /** The last words of a command that is interrupted: nothing is drawn after them. */
  private void stopped(String text) {
    Progress shown = bar;
    if (shown != null) {
      shown.stop();
    }
    if (columns > 0) {
      // The bar's line stays, with the terminal's ^C behind it.
      err.println();
    }
    note("stopped: " + text);
    // What fails from now on fails because this process ends.
    err.close();
  }

  /** Prints a line that is no result. */
  public void note(String text) {
    err.println(Prose.wrapped(CommandWords.in(text), columns));
  }

  /** Warns beside the output, which may be data. */
  void warningNotes(List<String> warnings) {
    warnings.forEach(warning -> note("warning: " + warning));
  }

  /** The user's input. */
  BufferedReader answers() {
    return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  }

  /** Whether a user at a terminal can be asked. */
  boolean canAsk() {
    return Boolean.getBoolean(INTERACTIVE) && columns > 0;
  }

  /** Asks a user at a terminal; without one, the answer is no. */
  boolean confirms(String question) throws IOException {
    if (!canAsk()) {
      return false;
    }
    err.print(question + " [y/N] ");
    err.flush();
    String answer = answers().readLine();
    return answer != null && answer.strip().toLowerCase(Locale.ROOT).matches("y|yes");
  }

  /** Shows a user at a terminal which long step is running. */
  void hint(String text) {
    if (columns > 0) {
      note(text);
    }
  }

  /** Prints a sentence of the result. */
  void say(String text) {
    out.println(Prose.wrapped(CommandWords.in(text), outColumns()));
  }

  /** Prints a sentence of the result behind a label; all of its lines begin below the first. */
  void say(String label, int indent, String text) {
    String line = label + " ".repeat(Math.max(0, indent - label.length())) + CommandWords.in(text);
    out.println(Prose.wrapped(line, outColumns(), indent));
  }

  /** Width of lines of the result; 0 if they are piped: then each sentence is on one line. */
  int outColumns() {
    return Boolean.getBoolean(Pager.ON_TERMINAL) ? columns : 0;
  }

  /** Prints a table. Columns are as wide as their widest value; the last column is not padded. */
  public void table(List<List<String>> texts) {
    List<List<String>> rows =
        texts.stream().map(row -> row.stream().map(Controls::escaped).toList()).toList();
    int columns = rows.stream().mapToInt(List::size).max().orElse(0);
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        line.append(row.get(i));
        if (i + 1 < row.size()) {
          line.append(" ".repeat(widths[i] - row.get(i).length() + 2));
        }
      }
      out.println(line.toString().stripTrailing());
    }
  }

  void warnings(List<String> warnings) {
    warnings.forEach(warning -> say("warning: " + warning));
  }
}
