/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.text.Quoted;
import java.nio.charset.StandardCharsets;

/**
 * The name of a column: {@code d:amount}. Immutable.
 *
 * @param family the column family, not empty
 * @param qualifier the qualifier, text that is not empty; qualifiers that are not UTF-8 cannot be
 *     named
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

  /** The bytes of the family, in a new array. */
  public byte[] familyBytes() {
    return family.getBytes(StandardCharsets.UTF_8);
  }

  /** The bytes of the qualifier, in a new array. */
  public byte[] qualifierBytes() {
    return qualifier.getBytes(StandardCharsets.UTF_8);
  }

  /** As an index's text spells it, with backquotes where a name needs them. */
  @Override
  public String toString() {
    return Quoted.name(family) + ":" + Quoted.name(qualifier);
  }
}
