/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.guard;

import org.jspecify.annotations.Nullable;

/**
 * Whether a table has another row key than it was created with. Applications that were written for
 * the key before would read and write rows by keys that mean something else.
 */
public enum KeyHistory {
  /** The table's region servers have a module of an earlier version, which does not know. */
  UNKNOWN,
  /** The key is the one that the table was created with. */
  SAME,
  /**
   * A layout was recorded for rows that were there: before, their keys were what is stored. An
   * application that has the table open from before has to open it again.
   */
  RECORDED,
  /** A migration has given it another one; applications have to say which key they use. */
  CHANGED;

  /**
   * The key in the table's descriptor; its value is {@code true} if a migration has changed the row
   * key, and {@value #RECORDED_VALUE} if a layout was recorded.
   */
  public static final String DESCRIPTOR_KEY = "EVENKEY_KEY_CHANGED";

  /** See {@link #DESCRIPTOR_KEY}. Earlier versions take it for a key that is the same. */
  public static final String RECORDED_VALUE = "recorded";

  /**
   * The history that a descriptor says.
   *
   * @param value that of {@link #DESCRIPTOR_KEY}; null if there is none
   */
  public static KeyHistory of(@Nullable String value) {
    if (RECORDED_VALUE.equals(value)) {
      return RECORDED;
    }
    return Boolean.parseBoolean(value) ? CHANGED : SAME;
  }
}
