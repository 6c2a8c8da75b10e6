package io.evenkey.client;

import org.apache.hadoop.conf.Configuration;

/**
 * The options of a scan of a logical range, such as {@code
 * ScanOptions.all().backwards().atMost(10)} for its last ten rows. Immutable.
 *
 * @param reversed whether the last key comes first
 * @param limit the most rows to read, or 0 for all
 * @param budgetBytes about how many bytes of cells, as HBase counts them, all ranges of the scan
 *     together may hold ahead of the caller; shared out over the ranges, however many there are. In
 *     memory they take up to twice that
 */
public record ScanOptions(boolean reversed, int limit, long budgetBytes) {
  /**
   * The configuration key of the budget of scans through the drop-in connections; {@value
   * #DEFAULT_BUDGET_BYTES} unless set.
   */
  public static final String BUDGET = "evenkey.scan.budget.bytes";

  /** Enough to keep three servers busy, little enough for many scans in one client. */
  public static final long DEFAULT_BUDGET_BYTES = 32L << 20;

  /** Checks the numbers. */
  public ScanOptions {
    if (limit < 0 || budgetBytes <= 0) {
      throw new IllegalArgumentException(
          "scan option out of range: limit="
              + limit
              + " budgetBytes="
              + budgetBytes
              + "; expected 0 or more rows, 1 or more bytes");
    }
  }

  /** The budget that a configuration sets for scans. */
  static long budgetBytes(Configuration configuration) {
    return configuration.getLong(BUDGET, DEFAULT_BUDGET_BYTES);
  }

  /** All rows, first key first. */
  public static ScanOptions all() {
    return new ScanOptions(false, 0, DEFAULT_BUDGET_BYTES);
  }

  /** The same from the last key to the first. */
  public ScanOptions backwards() {
    return new ScanOptions(!reversed, limit, budgetBytes);
  }

  /** The same with at most {@code rows} rows, or all for 0. */
  public ScanOptions atMost(int rows) {
    return new ScanOptions(reversed, rows, budgetBytes);
  }
}
