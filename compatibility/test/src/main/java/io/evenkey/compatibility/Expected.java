/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.compatibility;

import java.util.Objects;

/** Assertions for a process without a test library. Stateless. */
final class Expected {
  private Expected() {}

  /**
   * Compares two values.
   *
   * @throws IllegalStateException with both values, if they are not equal
   */
  static void equal(String what, Object expected, Object actual) {
    if (!Objects.equals(expected, actual)) {
      throw new IllegalStateException(what + ": expected=" + expected + " actual=" + actual);
    }
  }
}
