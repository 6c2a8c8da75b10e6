/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.size;

/**
 * The size and load of a table.
 *
 * @param gigabytes size of the data as stored, compressed, one replica, in units of 10⁹ bytes; more
 *     than 0
 * @param weight the most important aim
 * @param writeMegabytes megabytes written in a second at the peak, before replication; 0 if not
 *     known
 * @param servers region servers that share the table; 0 if not known
 */
public record TableLoad(double gigabytes, Weight weight, double writeMegabytes, int servers) {
  /** The most important aim. */
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
