package io.evenkey.client.registry;

/**
 * What clients do with a table of which two generations may be live. Reads go to one of them; what
 * is written is written there first, and then to the other one where both are kept alike.
 */
public enum Phase {
  /** Only the source is used. */
  SOURCE(false, false, false),
  /** The source is read; whoever wants to write waits. */
  SOURCE_FENCED(false, false, true),
  /** The source is read; both are written. */
  DUAL(false, true, false),
  /** The target is read; whoever wants to write waits. */
  TARGET_FENCED(true, false, true),
  /** The target is read; both are written, so that there is a way back. */
  REVERSED(true, true, false),
  /** Only the target is used. */
  TARGET(true, false, false);

  private final boolean readsTarget;
  private final boolean writesBoth;
  private final boolean fenced;

  Phase(boolean readsTarget, boolean writesBoth, boolean fenced) {
    this.readsTarget = readsTarget;
    this.writesBoth = writesBoth;
    this.fenced = fenced;
  }

  /** Whether reads go to the target. */
  public boolean readsTarget() {
    return readsTarget;
  }

  /** Whether writes go to both. */
  public boolean writesBoth() {
    return writesBoth;
  }

  /** Whether writes wait. */
  public boolean isFenced() {
    return fenced;
  }
}
