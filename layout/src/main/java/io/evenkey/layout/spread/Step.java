/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.spread;

import org.jspecify.annotations.Nullable;

/**
 * A step of a salt: keys from a value of the step field on, up to the next step, which share one
 * number of buckets. Immutable.
 *
 * @param buckets the number of buckets
 * @param from the first value, as a layout line spells it; null for the keys before the first value
 *     that the line names
 */
public record Step(int buckets, @Nullable String from) {}
