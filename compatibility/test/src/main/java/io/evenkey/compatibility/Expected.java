package io.evenkey.compatibility;

import java.util.Objects;

/** Comparisons, in a process that has no test library. Stateless. */
final class Expected {
  private Expected() {}

  /**
   * Compares.
   *
   * @throws IllegalStateException with both, if they are not equal
   */
  static void equal(String what, Object expected, Object actual) {
    if (!Objects.equals(expected, actual)) {
      throw new IllegalStateException(what + ": expected=" + expected + " actual=" + actual);
    }
  }
}
