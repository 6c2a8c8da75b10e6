/**
 * What clients count of themselves, for Micrometer's global registry: whoever adds a registry of
 * theirs to {@link io.micrometer.core.instrument.Metrics#globalRegistry} finds it there; nobody
 * else pays for more than an addition here and there.
 *
 * <p>Counted in adders of this JVM's, which Micrometer reads when it is asked.
 */
@NullMarked
package io.evenkey.client.metrics;

import org.jspecify.annotations.NullMarked;
