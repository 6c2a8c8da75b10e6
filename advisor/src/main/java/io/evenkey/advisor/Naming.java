/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor;

/**
 * The choice that an application's selection has to name so that the client reads it as advised.
 */
public enum Naming {
  /** Nothing: the client chooses this way of reading by itself. */
  NOTHING,
  /** Any order of rows, by {@code anyOrder()}. */
  ANY_ORDER,
  /** The index, or the table, by {@code by("…")}. */
  NAME;

  /**
   * The call of the selection; empty for {@link #NOTHING}.
   *
   * @param name that of the index, or of the table
   */
  public String call(String name) {
    return switch (this) {
      case NOTHING -> "";
      case ANY_ORDER -> "anyOrder()";
      case NAME -> "by(\"" + name + "\")";
    };
  }
}
