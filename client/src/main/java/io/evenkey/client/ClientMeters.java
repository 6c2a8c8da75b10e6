/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import io.evenkey.client.internal.metrics.MeterHome;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * The Micrometer registry of the client's meters, which {@code docs/metrics.md} lists. Without this
 * class they are in {@link io.micrometer.core.instrument.Metrics#globalRegistry}, which most
 * frameworks fill.
 *
 * <pre>{@code
 * ClientMeters.registerIn(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
 * Connection connection = ConnectionFactory.createConnection(configuration);
 * }</pre>
 *
 * <p>One registry for all connections of the JVM, as HBase makes connections by the names of
 * classes. Thread-safe.
 */
public final class ClientMeters {
  private ClientMeters() {}

  /**
   * Registers all meters of this JVM's clients in a registry, and not in the global one.
   *
   * @throws IllegalStateException if meters are registered in another one already, which the first
   *     use of a spread table does
   */
  public static void registerIn(MeterRegistry registry) {
    MeterHome.set(registry);
  }
}
