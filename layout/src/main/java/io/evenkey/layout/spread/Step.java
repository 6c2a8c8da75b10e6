/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.spread;

import org.jspecify.annotations.Nullable;

/**
 * Keys that a salt distributes over the same number of buckets: those with a value of the salt's
 * step field from {@code from} on, up to the next step.
 *
 * @param buckets over how many
 * @param from the first value, as a layout line spells it; null for the keys before the first value
 *     that the line names
 */
public record Step(int buckets, @Nullable String from) {}
