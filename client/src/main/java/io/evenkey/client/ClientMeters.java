/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import io.evenkey.client.internal.metrics.MeterHome;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Chooses the Micrometer registry that gets the client's meters, which {@code docs/metrics.md}
 * lists. Without a call of this class they go to {@link
 * io.micrometer.core.instrument.Metrics#globalRegistry}, which most frameworks fill.
 *
 * <pre>{@code
 * ClientMeters.registerIn(new SimpleMeterRegistry());
 * Connection connection = ConnectionFactory.createConnection(configuration);
 * }</pre>
 *
 * <p>All connections of a JVM share one registry, because HBase creates connections by class name
 * and passes no registry to them. Thread-safe.
 */
public final class ClientMeters {
  private ClientMeters() {}

  /**
   * Registers the meters of all clients in this JVM in {@code registry} instead of the global one.
   * Call it before the first use of a spread table.
   *
   * @throws IllegalStateException if the meters are already registered elsewhere, which the first
   *     use of a spread table does
   */
  public static void registerIn(MeterRegistry registry) {
    MeterHome.set(registry);
  }
}
