/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.token;

import io.evenkey.layout.text.Span;

/**
 * Something in a line that does not fit the rest of it, found after the whole line was read. It
 * names the place, so that the parser can point at it in a {@link
 * io.evenkey.layout.text.SyntaxException}, which is what applications see.
 */
public final class PlaceProblem extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient Span place;
  private final String remedy;

  /**
   * Rejects a place.
   *
   * @param place the place in the line
   * @param problem what is wrong
   * @param remedy what to do
   */
  public PlaceProblem(Span place, String problem, String remedy) {
    super(problem);
    this.place = place;
    this.remedy = remedy;
  }

  /** The place of the problem in the line. */
  public Span place() {
    return place;
  }

  /** The remedy. */
  public String remedy() {
    return remedy;
  }
}
