/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.internal.index.IndexReads;
import org.jspecify.annotations.Nullable;

/**
 * The way in which a selection is read, as {@link Candidates#choose} has chosen it. Immutable.
 *
 * @param choice the comparison that {@link Selection#explain} shows
 * @param index the index that is read; null for the table
 */
record PlannedRead(ReadChoice choice, @Nullable IndexReads index) {}
