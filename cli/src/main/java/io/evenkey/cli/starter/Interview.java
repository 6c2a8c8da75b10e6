/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.starter;

import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.text.LayoutException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Questions in a terminal. An answer that cannot be used is explained and asked for again. Not
 * thread-safe.
 */
public final class Interview {
  private final BufferedReader in;
  private final PrintStream out;

  /** Reads answers from {@code in}, and prints questions to {@code out}. */
  public Interview(BufferedReader in, PrintStream out) {
    this.in = in;
    this.out = out;
  }

  /**
   * Asks for a text.
   *
   * @param usual the answer of an empty line; empty if there is none
   * @param check throws an {@link IllegalArgumentException} if the answer cannot be used
   * @throws IOException if the input ends
   */
  public String ask(String question, String usual, Consumer<String> check) throws IOException {
    while (true) {
      out.print(question + (usual.isEmpty() ? " " : " [" + usual + "] "));
      out.flush();
      String line = line(question);
      String answer = line.isEmpty() ? usual : line;
      if (!answer.isEmpty() && accepted(answer, check)) {
        return answer;
      }
    }
  }

  /**
   * Asks for texts, one a line, until an empty line.
   *
   * @param check throws an {@link IllegalArgumentException} if a line cannot be used
   * @return at least one
   * @throws IOException if the input ends before
   */
  public List<String> askLines(String question, Consumer<String> check) throws IOException {
    out.println(question);
    List<String> lines = new ArrayList<>();
    while (true) {
      out.print("> ");
      out.flush();
      String line = line(question);
      if (line.isEmpty() && !lines.isEmpty()) {
        return lines;
      }
      if (!line.isEmpty() && accepted(line, check)) {
        lines.add(line);
      }
    }
  }

  private boolean accepted(String answer, Consumer<String> check) {
    try {
      check.accept(answer);
      return true;
    } catch (LayoutException e) {
      out.println(e.getMessage());
    } catch (IllegalArgumentException e) {
      out.println(String.valueOf(e.getMessage()));
    }
    return false;
  }

  private String line(String question) throws IOException {
    String line = in.readLine();
    if (line == null) {
      out.println();
      throw new EvenkeyException(
          "input ended before an answer: question=\""
              + question.lines().findFirst().orElse("")
              + "\"; nothing was written; answer it, or give options ('evenkey init --help')");
    }
    return line.strip();
  }
}
