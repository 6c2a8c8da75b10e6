/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

/**
 * The state that the scans of one table share when region servers gather for them: the places of
 * regions, and the {@linkplain GatherPause pause} after a server that could not gather.
 * Thread-safe.
 */
public final class GatherServers {
  private final GatherPause pause = new GatherPause();
  private RegionMap regions = RegionMap.EMPTY;

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
