/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.filter;

/** The rows that one filter sees, and what a plain table would show it instead. */
public enum FilteredRows {
  /** One row, or all rows of a scan: what a plain table would show it. */
  ONE_RANGE,
  /** One of several rows that together are the one that is wanted. */
  PARTS_OF_A_ROW,
  /** Some of the rows of a scan, by ascending keys; others filter the rest. */
  ASCENDING,
  /** Some of the rows of a reversed scan. */
  DESCENDING;

  /** The rows of a scan. */
  public static FilteredRows ofScan(boolean oneRange, boolean reversed) {
    return oneRange ? ONE_RANGE : reversed ? DESCENDING : ASCENDING;
  }

  boolean isOneRange() {
    return this == ONE_RANGE;
  }
}
