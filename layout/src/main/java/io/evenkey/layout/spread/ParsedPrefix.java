/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.spread;

import io.evenkey.layout.key.Key;
import io.evenkey.layout.key.KeyForm;

/**
 * A prefix as a layout line spells it, before the keys behind it are known. Implementations are
 * immutable values whose {@code toString} is that spelling.
 */
public interface ParsedPrefix {
  /** The rules by which the logical key behind this prefix is put together. */
  default KeyForm keyForm() {
    return KeyForm.EVENKEY;
  }

  /**
   * Returns this prefix for the given keys.
   *
   * @throws io.evenkey.layout.key.PartProblem if it cannot stand in front of them
   * @throws io.evenkey.layout.token.PlaceProblem if something in its line does not fit the keys
   */
  Prefix before(Key key);
}
