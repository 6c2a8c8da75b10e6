/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Scan;

/**
 * The number of rows that the next request of a range's scan asks for. The first of many ranges
 * asks for few, so that the first row is there soon; later ones for as many as an answer may hold.
 * Thread-safe.
 */
final class FetchSize {
  /**
   * Rows that the first requests of all ranges ask for together: about as many as HBase asks one
   * region for.
   */
  private static final int FIRST_OF_ALL = 8192;

  private static final int LEAST_FIRST = 64;
  private static final int GROWTH = 16;

  private final boolean grows;
  private volatile int rows;
  private volatile boolean little;

  private FetchSize(int rows, boolean grows) {
    this.rows = rows;
    this.grows = grows;
  }

  /**
   * Takes the scan's own setting, or a size that follows from the number of ranges read together.
   */
  static FetchSize of(Scan scan, int ranges) {
    if (scan.getCaching() > 0) {
      return new FetchSize(scan.getCaching(), false);
    }
    return ranges == 1
        ? new FetchSize(Integer.MAX_VALUE, false)
        : new FetchSize(Math.max(LEAST_FIRST, FIRST_OF_ALL / ranges), true);
  }

  int rows() {
    return little ? 1 : rows;
  }

  /** An answer has arrived: the scan is read on, so later requests ask for more rows. */
  void answered() {
    int asked = rows;
    if (grows && asked < Integer.MAX_VALUE) {
      rows = (int) Math.min(Integer.MAX_VALUE, (long) asked * GROWTH);
    }
  }

  /** No more rows are needed; the last request, by which HBase ends the scan, asks for one. */
  void asLittleAsPossible() {
    little = true;
  }

  /** The scan is read on after all. */
  void asMuchAsBefore() {
    little = false;
  }

  /** A scan that asks for as many rows as this says. */
  Scan of(Scan scan) throws IOException {
    return new Asked(scan, this);
  }

  /**
   * HBase looks at the number of rows for every request; it copies a scan by the constructor of its
   * own class, which is how this one gets there. If it did not, the number would be that of the
   * first request for good.
   */
  private static final class Asked extends Scan {
    private final FetchSize asking;

    Asked(Scan scan, FetchSize asking) throws IOException {
      super(scan);
      this.asking = asking;
      super.setCaching(asking.rows());
    }

    @SuppressWarnings("unused") // by HBase
    Asked(Asked other) throws IOException {
      super(other);
      this.asking = other.asking;
    }

    @Override
    public int getCaching() {
      return asking.rows();
    }
  }
}
