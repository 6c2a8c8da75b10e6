/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import java.time.Duration;

/**
 * How much longer entries live than their rows, if the family of the rows has a time to live. An
 * entry and its row are two writes on two servers, each of which takes its own clock's time, so an
 * entry must not expire first. Stateless.
 */
public final class EntryLife {
  /** How much longer the time to live of entries is than that of rows. */
  public static final Duration MARGIN = Duration.ofDays(1);

  /**
   * How far a row's timestamp may be ahead of its server's clock, given that its entry has the time
   * of another server. It is half of the margin; the other half covers the time between the two
   * writes.
   */
  public static final Duration AHEAD = MARGIN.dividedBy(2);

  private EntryLife() {}
}
