/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.message.Quoted;
import java.nio.charset.StandardCharsets;

/**
 * The name of a column of a row, such as {@code d:amount}. Immutable.
 *
 * @param family the column family, not empty
 * @param qualifier the qualifier as text, not empty; a qualifier that is not UTF-8 cannot be named
 */
public record ColumnName(String family, String qualifier) {
  /** Checks the names. */
  public ColumnName {
    check("family", family);
    check("qualifier", qualifier);
  }

  private static void check(String what, String name) {
    if (name.isEmpty() || !StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
      throw new EvenkeyArgumentException(
          "name of a column empty or not UTF-8: " + what + "=" + Quoted.name(name));
    }
  }

  /** The family in bytes, in a new array. */
  public byte[] familyBytes() {
    return family.getBytes(StandardCharsets.UTF_8);
  }

  /** The qualifier in bytes, in a new array. */
  public byte[] qualifierBytes() {
    return qualifier.getBytes(StandardCharsets.UTF_8);
  }

  /** The name as the text of an index spells it, with backquotes where needed. */
  @Override
  public String toString() {
    return Quoted.name(family) + ":" + Quoted.name(qualifier);
  }
}
