/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import java.time.Duration;

/**
 * How long entries stay if rows end by the time to live of their family. An entry and its row are
 * two writes, on two servers, of which each gives its own time; so entries stay longer.
 */
public final class EntryLife {
  /** By how much the time to live of entries is longer than that of the rows. */
  public static final Duration MARGIN = Duration.ofDays(1);

  /**
   * By how much the time of a row may be later than that of the server which has it, where its
   * entry has the time of another server: half of the margin, of which the other half is for what
   * lies between the two writes.
   */
  public static final Duration AHEAD = MARGIN.dividedBy(2);

  private EntryLife() {}
}
