/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.text;

/**
 * Something in a line that does not go with the rest of it, found once all of the line was read.
 * Names the place, so that a parser can point at it.
 */
public final class PlaceProblem extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient Span place;
  private final String remedy;

  /**
   * A problem at a place.
   *
   * @param place where in the line
   * @param problem the error
   * @param remedy the way out
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

  /** The way out. */
  public String remedy() {
    return remedy;
  }
}
