/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.key;

/**
 * The rules by which the parts of a key are put together: Evenkey's own, or those of another system
 * whose tables a layout adopts.
 */
public enum KeyForm {
  /** Evenkey's own: no nulls, literals and reversed parts allowed. */
  EVENKEY,
  /**
   * A primary key of Phoenix: nulls sort first, and are left out at the end of a key; fields only.
   */
  PHOENIX
}
