/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.metrics;

import io.micrometer.core.instrument.Metrics;

/** Operations that were refused on spread tables: {@code evenkey.refused}. Thread-safe. */
public final class RefusalCounts {
  private RefusalCounts() {}

  /**
   * One was refused.
   *
   * @param what a name for its kind, of few
   */
  public static void count(String what) {
    Metrics.counter("evenkey.refused", "operation", what).increment();
  }
}
