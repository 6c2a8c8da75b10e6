/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What all of Evenkey's exceptions have: {@link io.evenkey.layout.failure.EvenkeyFailure} is their
 * type, and {@link io.evenkey.layout.failure.FailureCode} lists their codes.
 */
@NullMarked
package io.evenkey.layout.failure;

import org.jspecify.annotations.NullMarked;
