/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.hotkeys;

import java.util.Locale;

/**
 * The kinds of items that a region server counts, apart from each other. The order is that of the
 * wire format: constants are only ever appended.
 */
public enum HotKeyKind {
  /** Physical rows that were read: by Gets and conditions, and each row that a scan returned. */
  READ_KEYS,
  /** The leading fields of those, as logical bytes; none where the leading field is the key. */
  READ_FIELDS,
  /** Physical rows that were written: one for each mutation. */
  WRITE_KEYS,
  /** The leading fields of those. */
  WRITE_FIELDS,
  /**
   * The first physical rows of scans, as asked for. A scan of a whole table has none in the first
   * region, and the first row of the region in each further one.
   */
  SCAN_STARTS;

  /** The name in JSON documents, such as {@code read_keys}. */
  public String json() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether items are logical bytes rather than physical rows. */
  public boolean isOfFields() {
    return this == READ_FIELDS || this == WRITE_FIELDS;
  }
}
