/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The exceptions that Evenkey adds to HBase's: {@link io.evenkey.client.failure.EvenkeyFailure} is
 * common to all of them, and each extends the exception that HBase's client has for its kind.
 */
@NullMarked
package io.evenkey.client.failure;

import org.jspecify.annotations.NullMarked;
