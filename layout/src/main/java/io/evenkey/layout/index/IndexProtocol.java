/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.index;

import java.util.Locale;

/** The protocol by which clients write an index. */
public enum IndexProtocol {
  /** The indexed and covered columns of a row never change once they are written. */
  EVENTS,
  /** They change. Each row has a guard, by which a change is refused that another one overtook. */
  MUTABLE;

  /** As an index's text spells it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
