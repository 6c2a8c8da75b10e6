/**
 * The metrics of clients, in Micrometer's global registry, where the application has Micrometer. An
 * application that adds its registry to {@link
 * io.micrometer.core.instrument.Metrics#globalRegistry} sees them. For all others an operation
 * costs a few additions to adders of this JVM.
 */
@NullMarked
package io.evenkey.client.internal.metrics;

import org.jspecify.annotations.NullMarked;
