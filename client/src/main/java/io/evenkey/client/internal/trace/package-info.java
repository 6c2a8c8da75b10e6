/**
 * OpenTelemetry spans of scattered operations: one span, with the spans of HBase's requests as its
 * children.
 */
@NullMarked
package io.evenkey.client.internal.trace;

import org.jspecify.annotations.NullMarked;
