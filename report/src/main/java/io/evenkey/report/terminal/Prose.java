/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.terminal;

/** Sentences on a terminal, broken between words. Stateless. */
public final class Prose {
  private static final int DEEPEST_INDENT = 24;

  private Prose() {}

  /**
   * Breaks text that is longer than a line of the terminal. A command in {@code '…'} stays whole,
   * so that it can be copied, and so does text that has lines of its own.
   *
   * @param columns the width of the terminal, or 0 if it is none: then nothing is broken
   */
  public static String wrapped(String text, int columns) {
    return wrapped(text, columns, indent(text));
  }

  /** Wraps like {@link #wrapped(String, int)}, and indents all lines but the first. */
  public static String wrapped(String text, int columns, int indent) {
    if (columns == 0 || text.length() <= columns || text.indexOf('\n') >= 0) {
      return text;
    }
    StringBuilder wrapped = new StringBuilder(text.length() + 16);
    int line = 0;
    for (int at = 0; at < text.length(); ) {
      int end = endOfWord(text, at);
      if (line > indent && line + end - at > columns) {
        wrapped.setLength(wrapped.toString().stripTrailing().length());
        wrapped.append('\n').append(" ".repeat(indent));
        line = indent;
        while (at < end && text.charAt(at) == ' ') {
          at++;
        }
      }
      wrapped.append(text, at, end);
      line += end - at;
      at = end;
    }
    return wrapped.toString();
  }

  private static int indent(String text) {
    int blanks = 0;
    while (blanks < text.length() && text.charAt(blanks) == ' ') {
      blanks++;
    }
    return Math.min(blanks, DEEPEST_INDENT);
  }

  /** The end of the next word, with the blanks before it. */
  private static int endOfWord(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
    if (at < text.length() && text.charAt(at) == '\'') {
      int closed = text.indexOf('\'', at + 1);
      at = closed < 0 ? at : closed;
    }
    int end = text.indexOf(' ', at);
    return end < 0 ? text.length() : end;
  }
}
