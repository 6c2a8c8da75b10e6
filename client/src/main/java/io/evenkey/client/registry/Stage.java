package io.evenkey.client.registry;

import java.util.Locale;

/**
 * How far a move is; in the order in which they are gone through, and back. Each says what clients
 * do meanwhile.
 */
public enum Stage {
  /** The target is made, and the source marked. */
  PREPARING(Phase.SOURCE),
  /** Nobody writes until all clients know that both are to be written. */
  JOINING(Phase.SOURCE_FENCED),
  /** What was there before is copied. */
  COPYING(Phase.DUAL),
  /** Both are compared, and what differs is repaired. */
  VERIFYING(Phase.DUAL),
  /** Both are alike; reads can be switched. */
  READY(Phase.DUAL),
  /** Nobody writes while what was written last is compared. */
  FENCING(Phase.SOURCE_FENCED),
  /** Nobody writes until all clients read the target. */
  SWITCHING(Phase.TARGET_FENCED),
  /** The target is in use, and the source still written. */
  SWITCHED(Phase.REVERSED),
  /** Nobody writes until all clients have left the source. */
  LEAVING(Phase.TARGET_FENCED),
  /** The target is the table; the source is kept as it is. */
  FINISHED(Phase.TARGET),
  /** Back from the target: nobody writes while what was written last is compared. */
  RETURNING(Phase.TARGET_FENCED),
  /** Back to the source: nobody writes until all clients use the source alone. */
  ABANDONING(Phase.SOURCE_FENCED),
  /** Only the source is used, as before. */
  ROLLED_BACK(Phase.SOURCE);

  private final Phase phase;

  Stage(Phase phase) {
    this.phase = phase;
  }

  /** What clients do meanwhile. */
  public Phase phase() {
    return phase;
  }

  /** Whether nothing more is to be done. */
  public boolean isOver() {
    return this == FINISHED || this == ROLLED_BACK;
  }

  /** As people read it: "rolled back". */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
