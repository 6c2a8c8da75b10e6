/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import java.time.Instant;

/**
 * A stored value and its version.
 *
 * @param value the stored value
 * @param version counts the changes, from 0 on; {@link #NONE} if it was never stored
 * @param author the user who stored it, by the name in the operating system or Kerberos
 * @param at when, by the author's clock
 */
public record Versioned<T>(T value, int version, String author, Instant at) {
  /** The version of a value that was never stored. */
  public static final int NONE = -1;

  static <T> Versioned<T> never(T value) {
    return new Versioned<>(value, NONE, "", Instant.EPOCH);
  }

  /** Whether this was ever stored. */
  public boolean exists() {
    return version != NONE;
  }
}
