/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;

/** The registry of all the client's meters: Micrometer's global one, or the application's. */
public final class MeterHome {
  private static MeterRegistry registry = Metrics.globalRegistry;
  private static boolean used;

  private MeterHome() {}

  /** The registry, which stays the same from now on. */
  static synchronized MeterRegistry registry() {
    used = true;
    return registry;
  }

  /**
   * Sets the registry.
   *
   * @throws IllegalStateException if meters are in another one already
   */
  public static synchronized void set(MeterRegistry next) {
    if (used && next != registry) {
      throw new IllegalStateException(
          "meters are registered already: registry="
              + registry.getClass().getSimpleName()
              + "; set it before the first connection of the JVM is made");
    }
    registry = next;
  }
}
