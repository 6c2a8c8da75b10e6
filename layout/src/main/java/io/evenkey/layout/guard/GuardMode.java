package io.evenkey.layout.guard;

import java.time.Duration;

/** The operations that the guard allows on the rows of a physical table. */
public enum GuardMode {
  /** Reads and writes. */
  OPEN(true, true, false),
  /** Reads and writes; each row that is written gets a {@link ChangeMark}. */
  TRACKED(true, true, true),
  /**
   * Reads. Writes are refused for a moment, after which clients repeat them. If nothing else is set
   * within {@link #FENCE}, as after the death of the migration, the region goes on as {@link
   * #TRACKED}.
   */
  FENCED(true, false, true),
  /** Reads. Writes are refused until something else is set; clients repeat them. */
  READ_ONLY(true, false, true),
  /** Neither: the table is another generation, {@link GuardState#other()}. */
  CLOSED(false, false, true);

  /** How long a region refuses writes by {@link #FENCED} after it has read that state. */
  public static final Duration FENCE = Duration.ofSeconds(10);

  private final boolean reads;
  private final boolean writes;
  private final boolean keepsTombstones;

  GuardMode(boolean reads, boolean writes, boolean keepsTombstones) {
    this.reads = reads;
    this.writes = writes;
    this.keepsTombstones = keepsTombstones;
  }

  /** Whether clients may read. */
  public boolean reads() {
    return reads;
  }

  /** Whether clients may write. */
  public boolean writes() {
    return writes;
  }

  /** Whether compactions keep tombstones, which a migration still has to compare. */
  public boolean keepsTombstones() {
    return keepsTombstones;
  }
}
