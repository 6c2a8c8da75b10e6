/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import java.util.Locale;

/** The stages of a migration, in the order in which it passes them, and back. */
public enum Stage {
  /** The target is made, closed to clients. */
  PREPARING(false),
  /** The source's rows are copied; the guard marks each row that clients write. */
  COPYING(false),
  /** Both generations are compared, and rows that differ are repaired in the target. */
  VERIFYING(false),
  /** Both are alike but for the rows that were written last; reads can be switched. */
  READY(false),
  /** Writes pause while the rows that were written last are compared. */
  FENCING(false),
  /** The source is closed, and what was written since the fence is repaired in the target. */
  CLOSING(false),
  /** The target is opened; from here on there is only the way through {@link #SWITCHED}. */
  SWITCHING(true),
  /** The target is in use; rows that are written are marked, so that there is a way back. */
  SWITCHED(true),
  /** Rows that are written to the target are no longer marked: there is no way back. */
  FINISHING(true),
  /** The target is the table; the source is kept as it is, closed. */
  FINISHED(true),
  /** Back from the target: the rows that were written to it are repaired in the source. */
  RETURNING(true),
  /** Back to the source: the target is closed, then the source is opened. */
  ABANDONING(false),
  /** Only the source is used again. */
  ROLLED_BACK(false);

  private final boolean usesTarget;

  Stage(boolean usesTarget) {
    this.usesTarget = usesTarget;
  }

  /** Whether clients use the target. */
  public boolean usesTarget() {
    return usesTarget;
  }

  /** Whether nothing more is to be done. */
  public boolean isOver() {
    return this == FINISHED || this == ROLLED_BACK;
  }

  /** The name in plain words, such as "rolled back". */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
