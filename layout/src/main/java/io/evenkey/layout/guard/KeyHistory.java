/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.guard;

import org.jspecify.annotations.Nullable;

/**
 * Whether a migration has given a table another row key than it was created with. Applications that
 * were written for the key before would read and write rows by keys that mean something else, so
 * that they have to say first which key they use.
 */
public enum KeyHistory {
  /** The table's region servers have a module of an earlier version, which does not know. */
  UNKNOWN,
  /** The key is the one that the table was created with. */
  SAME,
  /** The key is another one. */
  CHANGED;

  /** The key in the table's descriptor; its value is {@code true} if the row key was changed. */
  public static final String DESCRIPTOR_KEY = "EVENKEY_KEY_CHANGED";

  /**
   * The history that a descriptor says.
   *
   * @param value that of {@link #DESCRIPTOR_KEY}; null if there is none
   */
  public static KeyHistory of(@Nullable String value) {
    return Boolean.parseBoolean(value) ? CHANGED : SAME;
  }
}
