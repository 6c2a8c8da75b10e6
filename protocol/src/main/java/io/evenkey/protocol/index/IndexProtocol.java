/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import java.util.Locale;

/**
 * How clients keep an index up to date, chosen by what the application does to its rows. In each
 * protocol, a client writes the entry before the row. An entry whose row has changed stays until a
 * sweep.
 */
public enum IndexProtocol {
  /** Rows are written once: indexed and covered columns never change, and a put has all of them. */
  EVENTS,
  /**
   * Like {@link #EVENTS}, and rows are never deleted: a row stays until its time to live ends. So
   * an entry whose row was seen can be read without the row.
   */
  APPEND_ONLY,
  /**
   * Rows change, also one column at a time. A put that does not have all indexed and covered
   * columns is made only if the row still has the others as the client read them; region servers
   * check that.
   */
  MUTABLE;

  /** The protocol as the text of an index spells it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
