/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import io.evenkey.client.internal.setting.Setting;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import org.apache.hadoop.conf.Configuration;

/**
 * Direction, limit and memory budget of a scan by {@link
 * SpreadTable#scan(io.evenkey.layout.bytes.KeyRange, ScanOptions)}. Immutable: each method returns
 * other options.
 *
 * <pre>{@code
 * ScanOptions lastTen = ScanOptions.all().backwards().atMost(10);
 * }</pre>
 */
public final class ScanOptions {
  /**
   * The configuration key of the read-ahead budget, in bytes, of scans through the drop-in
   * connections; {@link #DEFAULT_BUDGET_BYTES} unless set.
   */
  public static final String BUDGET = Setting.SCAN_BUDGET.key();

  /**
   * The default read-ahead budget in bytes: enough to keep three servers busy, and small enough for
   * many concurrent scans in one client.
   */
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

  /** Returns the options of a scan that reads all rows in ascending key order. */
  public static ScanOptions all() {
    return new ScanOptions(false, 0, DEFAULT_BUDGET_BYTES);
  }

  /** Whether the scan reads in descending key order. */
  public boolean reversed() {
    return reversed;
  }

  /** The maximum number of rows; 0 for all. */
  public int limit() {
    return limit;
  }

  /** The read-ahead budget in bytes; see {@link #ahead}. */
  public long budgetBytes() {
    return budgetBytes;
  }

  /** Returns these options with the opposite direction. */
  public ScanOptions backwards() {
    return new ScanOptions(!reversed, limit, budgetBytes);
  }

  /**
   * Returns these options with a read-ahead budget of about {@code bytes}, counted as HBase counts
   * cells. All ranges of the scan share it, however many they are. On the heap, cells take up to
   * twice that.
   */
  public ScanOptions ahead(long bytes) {
    return new ScanOptions(reversed, limit, bytes);
  }

  /**
   * Returns these options with a limit of {@code rows} rows; 0 for all. A small limit lets region
   * servers with the guard merge the buckets and answer with one request each.
   */
  public ScanOptions atMost(int rows) {
    return new ScanOptions(reversed, rows, budgetBytes);
  }
}
