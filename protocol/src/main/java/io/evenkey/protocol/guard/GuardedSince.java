/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.guard;

/**
 * Since when a region was open on servers with the guard only. Immutable.
 *
 * @param pass all rows that were written since this pass of a migration began have marks
 * @param ms milliseconds since 1970, by the clock of a region server
 */
public record GuardedSince(int pass, long ms) {
  /** Greater than each pass. */
  private static final int NONE = Integer.MAX_VALUE;

  /**
   * Of a region that HBase has made under the name of the table, as the clone of a snapshot: its
   * marks are of the time of the snapshot.
   */
  public static GuardedSince ofClone(long ms) {
    return new GuardedSince(NONE, ms);
  }

  /** Whether a region is one {@linkplain #ofClone of a clone}. */
  public boolean isOfClone() {
    return pass == NONE;
  }

  /**
   * What {@link #toString} has made.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static GuardedSince parse(String text) {
    int blank = text.indexOf(' ');
    if (blank < 0) {
      throw new IllegalArgumentException("not the start of guarded openings: text=" + text);
    }
    return new GuardedSince(
        Integer.parseInt(text.substring(0, blank)), Long.parseLong(text.substring(blank + 1)));
  }

  /** The later of both, in either respect. */
  public GuardedSince latest(GuardedSince other) {
    return new GuardedSince(Math.max(pass, other.pass), Math.max(ms, other.ms));
  }

  @Override
  public String toString() {
    return pass + " " + ms;
  }
}
