/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The exceptions of the client, each of which extends the exception that HBase's client has for its
 * kind. All of them are an {@link io.evenkey.layout.failure.EvenkeyFailure}.
 */
@NullMarked
package io.evenkey.client.failure;

import org.jspecify.annotations.NullMarked;
