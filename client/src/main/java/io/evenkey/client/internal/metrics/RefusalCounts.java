/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.metrics;

/** Operations that were refused on spread tables: {@code evenkey.refused}. Thread-safe. */
public final class RefusalCounts {
  private RefusalCounts() {}

  /**
   * One was refused.
   *
   * @param what a name for its kind, of few
   */
  public static void count(String what) {
    MeterHome.count(
        new Meters.Name("evenkey.refused", "Operations refused", null, "operation", what));
  }
}
