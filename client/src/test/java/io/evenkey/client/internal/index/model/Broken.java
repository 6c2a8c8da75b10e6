/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

/** The errors of a reader. */
enum Broken {
  NOTHING(""),
  LOST("a reader misses an acknowledged row that did not change while it read"),
  PHANTOM("a reader returns a row by a key that it had at no moment of the read");

  private static final Broken[] ALL = values();

  private final String text;

  Broken(String text) {
    this.text = text;
  }

  /** The number of it in a {@link State}. */
  @SuppressWarnings("EnumOrdinal") // never kept
  int code() {
    return ordinal();
  }

  static Broken of(int code) {
    return ALL[code];
  }

  String text() {
    return text;
  }
}
