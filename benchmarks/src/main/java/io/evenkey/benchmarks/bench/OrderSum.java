/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.io.IOException;

/** The number of rows that were read, and a checksum of them in their order. Not thread-safe. */
final class OrderSum {
  private long rows;
  private long checksum;

  /** Reads a scan to its end. */
  static OrderSum of(RowScan scan) throws IOException {
    OrderSum sum = new OrderSum();
    for (long row = scan.next(); row != RowScan.END; row = scan.next()) {
      sum.add(row);
    }
    return sum;
  }

  /** Adds the next row, as {@link Order#mixed} makes it. */
  void add(long row) {
    rows++;
    checksum = 31 * checksum + row;
  }

  long rows() {
    return rows;
  }

  boolean isSame(OrderSum other) {
    return rows == other.rows && checksum == other.checksum;
  }
}
