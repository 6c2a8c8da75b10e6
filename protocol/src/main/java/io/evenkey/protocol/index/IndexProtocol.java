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
  EVENTS("columns never change (events)"),
  /**
   * Like {@link #EVENTS}, and rows are never deleted: a row stays until its time to live ends. So
   * an entry whose row was seen can be read without the row.
   */
  APPEND_ONLY("neither changed nor deleted (append-only)") {
    @Override
    public boolean keepsRows() {
      return true;
    }
  },
  /**
   * Rows change, also one column at a time. A put that does not have all indexed and covered
   * columns is made only if the row still has the others as the client read them; region servers
   * check that.
   */
  MUTABLE("columns change (mutable)") {
    @Override
    public boolean changesRows() {
      return true;
    }
  };

  private final String rows;

  IndexProtocol(String rows) {
    this.rows = rows;
  }

  /** What the application does to rows, in words. */
  public String rows() {
    return rows;
  }

  /** Whether rows are neither changed nor deleted, so that readers may take an entry for a row. */
  public boolean keepsRows() {
    return false;
  }

  /** Whether indexed and covered columns change, so that a write depends on what the row has. */
  public boolean changesRows() {
    return false;
  }

  /** The protocol as the text of an index spells it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
