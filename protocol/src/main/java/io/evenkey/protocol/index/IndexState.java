/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import java.util.Locale;

/** The state of an index. In each of them, clients write an entry for each row that they write. */
public enum IndexState {
  /**
   * Some clients may not know the index yet, or rows of the table were restored. Rows can be
   * without an entry, so clients do not read it.
   */
  JOINING,
  /** All clients write entries. Rows from before are being given theirs, so no client reads it. */
  BUILDING,
  /** Each row has its entry. Clients read the index. */
  PUBLIC,
  /**
   * It is being dropped. Clients do not read it any more, but still write entries, because others
   * may still read it.
   */
  CLOSING;

  /** Whether clients may read rows through the index. */
  public boolean isRead() {
    return this == PUBLIC;
  }

  /** As an index's text spells it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
