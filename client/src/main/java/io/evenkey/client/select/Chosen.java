/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.internal.index.IndexReads;
import org.jspecify.annotations.Nullable;

/**
 * The way in which a selection is read. Immutable.
 *
 * @param choice the same as people see it
 * @param index the index that is read; null for the table
 */
record Chosen(ReadChoice choice, @Nullable IndexReads index) {}
