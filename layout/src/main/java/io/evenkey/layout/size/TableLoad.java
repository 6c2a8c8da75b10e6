/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.size;

/**
 * The size and load of a table, from which {@link RegionCount#of} derives the number of regions.
 * Immutable and thread-safe.
 *
 * @param gigabytes the data as stored: compressed, one replica, in units of 10⁹ bytes; more than 0
 * @param weight what matters most
 * @param writeMegabytes megabytes written per second at the peak, before replication; 0 if unknown
 * @param servers region servers that share the table; 0 if unknown
 */
public record TableLoad(double gigabytes, Weight weight, double writeMegabytes, int servers) {
  /** The operations that matter most. */
  public enum Weight {
    /** Neither more than the other. */
    EVEN,
    /** Scans: every region they pass costs a request, so fewer are better. */
    SCANS,
    /** Writes: every region takes some, so more are better. */
    WRITES
  }

  /** Checks the ranges. */
  public TableLoad {
    if (!(gigabytes > 0) || Double.isInfinite(gigabytes) || !(writeMegabytes >= 0) || servers < 0) {
      throw new IllegalArgumentException(
          "not a workload: gigabytes="
              + gigabytes
              + " write MB/s="
              + writeMegabytes
              + " servers="
              + servers);
    }
  }
}
