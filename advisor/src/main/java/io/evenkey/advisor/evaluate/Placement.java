/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.evaluate;

import io.evenkey.layout.Layout;
import io.evenkey.layout.split.RowSample;
import io.evenkey.layout.split.SplitAlgorithm;
import io.evenkey.layout.split.SplitException;
import io.evenkey.layout.spread.Prefix;
import java.util.Arrays;
import java.util.List;

/**
 * Which region, and which region server, a row is in: a region a bucket where there are buckets, as
 * many as 16 rounded up to a multiple of the servers else, of few rows fewer, cut at the quantiles
 * of the very rows that come, the best cut that anyone could make who knew the future. Regions are
 * dealt out to the servers in turn. Immutable.
 */
final class Placement {
  private static final int USUAL_REGIONS = 16;
  private static final int MOST_REGIONS = 256;

  /** With fewer, a window of arrivals fills several regions in turn: growing keys look even. */
  private static final int LEAST_ROWS = 1_000;

  private final byte[][] starts;
  private final int servers;
  private final int[] serverOf;

  private Placement(List<byte[]> splits, int servers) {
    this.starts = splits.toArray(new byte[0][]);
    this.servers = servers;
    this.serverOf = new int[regions()];
    Arrays.setAll(serverOf, region -> region % servers);
  }

  private Placement(byte[][] starts, int servers, int[] serverOf) {
    this.starts = starts;
    this.servers = servers;
    this.serverOf = serverOf;
  }

  /** The regions of a table that is there. */
  static Placement of(List<byte[]> splits, int servers, int[] serverOfRegion) {
    return new Placement(splits.toArray(new byte[0][]), servers, serverOfRegion.clone());
  }

  /** The first row of every region but the first. */
  List<byte[]> splits() {
    return List.of(starts);
  }

  /**
   * Cuts a table.
   *
   * @param sorted its rows in the order in which they are stored
   */
  static Placement of(Layout layout, byte[][] sorted, int servers) {
    Prefix prefix = layout.spread().prefix();
    int usual = (USUAL_REGIONS + servers - 1) / servers * servers;
    if (prefix != null && prefix.width() > 0 && prefix.count() > 1) {
      int regions =
          (int)
              Math.min(
                  prefix.count(),
                  layout.buckets().isPresent() && prefix.count() <= MOST_REGIONS
                      ? prefix.count()
                      : usual);
      return new Placement(layout.splits(regions).keys(), servers);
    }
    List<byte[]> rows = Arrays.asList(sorted);
    int many = Math.max(1, sorted.length / LEAST_ROWS / servers) * servers;
    for (int regions = Math.min(Math.min(usual, many), sorted.length); regions > 1; regions--) {
      try {
        return new Placement(SplitAlgorithm.bySample(RowSample.of(rows), regions).keys(), servers);
      } catch (SplitException e) {
        // Fewer different rows than that.
      }
    }
    return new Placement(List.of(), servers);
  }

  int regions() {
    return starts.length + 1;
  }

  int region(byte[] row) {
    int at = Arrays.binarySearch(starts, row, Arrays::compareUnsigned);
    return at >= 0 ? at + 1 : -at - 1;
  }

  int server(int region) {
    return serverOf[region];
  }

  int servers() {
    return servers;
  }
}
