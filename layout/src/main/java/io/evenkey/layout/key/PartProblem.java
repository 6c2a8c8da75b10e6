/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.key;

/** Parts that cannot stand together in a key. Names the part, so that a parser can point at it. */
public final class PartProblem extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient Part part;
  private final String remedy;

  /**
   * A problem of a part.
   *
   * @param part the part that cannot stand where it is
   * @param problem the error
   * @param remedy the way out
   */
  public PartProblem(Part part, String problem, String remedy) {
    super(problem);
    this.part = part;
    this.remedy = remedy;
  }

  /** The part that cannot stand where it is. */
  public Part part() {
    return part;
  }

  /** The way out. */
  public String remedy() {
    return remedy;
  }
}
