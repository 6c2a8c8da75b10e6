/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

/**
 * The state that the scans of one table share when region servers gather for them: the places of
 * regions, and the {@linkplain GatherPause pause} after a server that could not gather.
 * Thread-safe.
 */
public final class GatherServers {
  /** A server that has all of so few rows costs less than asking it twice. */
  private static final int FEW_ROWS = 100;

  /** As few rows where three standard deviations beyond a server's share are enough. */
  private static final int FEW_EVEN_ROWS = 20;

  private final GatherPause pause = new GatherPause();
  private final boolean evenly;
  private RegionMap regions = RegionMap.EMPTY;

  /**
   * The state of a table of which no server has been asked.
   *
   * @param evenly whether rows that follow each other are in ranges by chance, as where the whole
   *     key is hashed, so that each server has nearly its share of any few; else they may be in one
   */
  public GatherServers(boolean evenly) {
    this.evenly = evenly;
  }

  /**
   * The number of rows that one server is asked for.
   *
   * @param share the number that it has if the rows are even over the ranges
   */
  double asked(double share) {
    return Math.max(evenly ? FEW_EVEN_ROWS : FEW_ROWS, Math.ceil(share + 3 * Math.sqrt(share)));
  }

  /** Whether servers may be asked now. */
  boolean mayBeAsked() {
    return pause.isOver();
  }

  /** The regions that the last request found. */
  synchronized RegionMap regions() {
    return regions;
  }

  /**
   * All servers have answered a request.
   *
   * @param known the regions that were known before
   * @param now these and the regions that were looked up for the request
   */
  synchronized void succeeded(RegionMap known, RegionMap now) {
    if (regions == known) {
      regions = now;
    }
    pause.succeeded();
  }

  /**
   * A server could not answer a request. If the client knew regions from an earlier request, one of
   * them may have moved, and the next request looks them up; otherwise the pause begins.
   */
  synchronized void failed(RegionMap known) {
    if (known.isEmpty()) {
      pause.failed();
    } else if (regions == known) {
      regions = RegionMap.EMPTY;
    }
  }
}
