/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.gather;

/** The names by which a scan carries a gather. Stateless. */
public final class GatherAttributes {
  /** The attribute of a scan whose value is a {@link GatherRequest}. */
  public static final String REQUEST = "evenkey.gather";

  /**
   * The family and the qualifier of the cell of an answer's first row: a {@link GatherAnswer}, or
   * {@link GatherPortions}.
   */
  public static final String ANSWER = "evenkey";

  private GatherAttributes() {}
}
