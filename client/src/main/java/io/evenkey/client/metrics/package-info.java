/**
 * What clients count of themselves, for Micrometer's global registry: an application that adds its
 * registry to {@link io.micrometer.core.instrument.Metrics#globalRegistry} finds it there; the
 * others pay for some additions.
 *
 * <p>Counted in adders of this JVM's, which Micrometer reads when it is asked.
 */
@NullMarked
package io.evenkey.client.metrics;

import org.jspecify.annotations.NullMarked;
