/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import java.util.Locale;

/**
 * The protocol by which clients write an index. By each of them, a client writes an entry before it
 * writes the row, and an entry whose row has other values stays until a sweep.
 */
public enum IndexProtocol {
  /**
   * The indexed and covered columns of a row never change once they are written. A put has all of
   * them.
   */
  EVENTS,
  /**
   * As {@link #EVENTS}, and no row is deleted: one that was seen is there until its time to live
   * ends. So an entry whose row was seen can be read without the row.
   */
  APPEND_ONLY,
  /**
   * They change, one by one too. A put of some of them is made only if the row still has the others
   * as the client has read them; region servers check it.
   */
  MUTABLE;

  /** As an index's text spells it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
