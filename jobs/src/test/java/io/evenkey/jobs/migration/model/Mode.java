/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

/**
 * The modes of the guard that a migration sets, as {@link io.evenkey.layout.guard.GuardMode} has
 * them, and what a region makes of {@link #FENCED} by itself.
 */
enum Mode {
  OPEN(true, true),
  TRACKED(true, true),
  FENCED(true, false),
  /** A fence that has ended: the region goes on as if it was {@link #TRACKED}. */
  UNFENCED(true, true),
  READ_ONLY(true, false),
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

  /** Whether rows that are written get a mark. */
  boolean marks() {
    return this == TRACKED || this == UNFENCED;
  }
}
