/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

/** The errors of a step, rather than of a state. */
enum Broken {
  NOTHING(""),
  UNEQUAL("T is opened, and is not what S is"),
  READ("a read misses what had been written before it began"),
  OWN("a client reads, and misses its own write"),
  BACK("a client reads, and misses what it had read before");

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
