/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.text;

import org.jspecify.annotations.Nullable;

/**
 * A mistake in a written line, with its place. The message is for people and shows the line with a
 * caret under the place:
 *
 * <pre>
 * layout: unknown field type 'strng'; did you mean 'string'?
 *   salt(16) + device:strng + ts:timestamp desc
 *                     ^^^^^
 *   expected one of digits, int64, string, timestamp
 * </pre>
 *
 * <p>Editors that mark the place themselves use {@link #span} and {@link #problem}.
 */
public final class SyntaxException extends LayoutException {
  private static final long serialVersionUID = 1L;

  private final String source;
  private final Span span;
  private final String problem;

  /** A mistake at a place of a line. */
  public SyntaxException(
      String language, String source, Span span, String problem, @Nullable String expected) {
    super(render(language, source, span, problem, expected));
    this.source = source;
    this.span = span;
    this.problem = problem;
  }

  /** The whole line that was read. */
  public String source() {
    return source;
  }

  /** The place of the mistake in {@link #source}. */
  public Span span() {
    return span;
  }

  /** The error without the line and the caret. */
  public String problem() {
    return problem;
  }

  private static String render(
      String language, String source, Span span, String problem, @Nullable String expected) {
    // One column per character: a tab or line break in the source would push the caret away.
    String line = source.replaceAll("\\s", " ");
    StringBuilder text = new StringBuilder();
    text.append(language).append(": ").append(problem);
    text.append("\n  ").append(line);
    text.append("\n  ").append(" ".repeat(span.start())).append("^".repeat(span.length()));
    if (expected != null) {
      text.append("\n  ").append(expected);
    }
    return text.toString();
  }
}
