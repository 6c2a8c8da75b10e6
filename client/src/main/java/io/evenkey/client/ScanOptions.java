/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import io.evenkey.client.internal.setting.Setting;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import org.apache.hadoop.conf.Configuration;

/**
 * The options of a scan of a logical range. Immutable: each option gives other options.
 *
 * <pre>{@code
 * ScanOptions lastTen = ScanOptions.all().backwards().atMost(10);
 * }</pre>
 */
public final class ScanOptions {
  /**
   * The configuration key of the budget of scans through the drop-in connections; {@link
   * #DEFAULT_BUDGET_BYTES} unless set.
   */
  public static final String BUDGET = Setting.SCAN_BUDGET.key();

  /** Enough to keep three servers busy, little enough for many scans in one client. */
  public static final long DEFAULT_BUDGET_BYTES = Long.parseLong(Setting.SCAN_BUDGET.initial());

  private final boolean reversed;
  private final int limit;
  private final long budgetBytes;

  private ScanOptions(boolean reversed, int limit, long budgetBytes) {
    if (limit < 0 || budgetBytes <= 0) {
      throw new EvenkeyArgumentException(
          "scan option out of range: limit="
              + limit
              + " budgetBytes="
              + budgetBytes
              + "; expected 0 or more rows, 1 or more bytes");
    }
    this.reversed = reversed;
    this.limit = limit;
    this.budgetBytes = budgetBytes;
  }

  /** The budget that a configuration sets for scans. */
  static long budgetBytes(Configuration configuration) {
    return Setting.SCAN_BUDGET.number(configuration);
  }

  /** All rows, first key first. */
  public static ScanOptions all() {
    return new ScanOptions(false, 0, DEFAULT_BUDGET_BYTES);
  }

  /** Whether the last key comes first. */
  public boolean reversed() {
    return reversed;
  }

  /** The most rows to read, or 0 for all. */
  public int limit() {
    return limit;
  }

  /** See {@link #ahead}. */
  public long budgetBytes() {
    return budgetBytes;
  }

  /** Returns these options with the direction turned round. */
  public ScanOptions backwards() {
    return new ScanOptions(!reversed, limit, budgetBytes);
  }

  /**
   * Returns these options with a budget of about {@code bytes} of cells, as HBase counts them, that
   * all ranges of the scan together may hold ahead of the caller. It is shared out over the ranges,
   * however many there are. In memory they take up to twice that.
   */
  public ScanOptions ahead(long bytes) {
    return new ScanOptions(reversed, limit, bytes);
  }

  /** Returns these options with at most {@code rows} rows, or all for 0. */
  public ScanOptions atMost(int rows) {
    return new ScanOptions(reversed, rows, budgetBytes);
  }
}
