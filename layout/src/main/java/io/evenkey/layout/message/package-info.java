/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How messages are written: {@link io.evenkey.layout.message.FailureMessage} puts rule, values and
 * remedy in order, {@link io.evenkey.layout.message.Quoted} quotes names and values, and {@link
 * io.evenkey.layout.message.Suggestion} finds what was probably meant. Not exported: for Evenkey's
 * own modules.
 */
@NullMarked
package io.evenkey.layout.message;

import org.jspecify.annotations.NullMarked;
