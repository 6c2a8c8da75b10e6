/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

/** The modes of the guard, as {@code io.evenkey.layout.guard.GuardMode} has them. */
enum Mode {
  OPEN(true, true),
  TRACKED(true, true),
  FENCED(true, false),
  CLOSED(false, false);

  private static final Mode[] ALL = values();

  private final boolean reads;
  private final boolean writes;

  Mode(boolean reads, boolean writes) {
    this.reads = reads;
    this.writes = writes;
  }

  /** The number of it in a {@link State}. */
  @SuppressWarnings("EnumOrdinal") // never kept
  int code() {
    return ordinal();
  }

  static Mode of(int code) {
    return ALL[code];
  }

  boolean reads() {
    return reads;
  }

  boolean writes() {
    return writes;
  }
}
