/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.key;

/**
 * Parts that cannot stand together in a key, such as text of variable width inside a reversed part.
 * It names the part, so that the parser can point at it in a {@link
 * io.evenkey.layout.text.SyntaxException}, which is what applications see.
 */
public final class PartProblem extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient Part part;
  private final String remedy;

  /**
   * Rejects a part.
   *
   * @param part the part that cannot stand where it is
   * @param problem what is wrong
   * @param remedy what to do
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

  /** The remedy. */
  public String remedy() {
    return remedy;
  }
}
