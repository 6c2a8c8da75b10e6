/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import java.util.Locale;

/**
 * The state of an index, which decides whether clients may read it. In every state, clients write
 * an entry for each row that they write.
 */
public enum IndexState {
  /**
   * Not read. Some clients may not know the index yet, or rows were restored from a snapshot, so
   * rows may have no entry.
   */
  JOINING,
  /** Not read. All clients write entries, and older rows are being given theirs. */
  BUILDING,
  /** Read. Each row has its entry. */
  PUBLIC,
  /**
   * Not read any more: the index is being dropped. Clients still write entries, because other
   * clients may still read it.
   */
  CLOSING;

  /** Whether clients may read rows through the index. */
  public boolean isRead() {
    return this == PUBLIC;
  }

  /** The state as the text of an index spells it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
