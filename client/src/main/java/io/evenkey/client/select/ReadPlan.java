/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.protocol.index.ReadFigures;
import org.jspecify.annotations.Nullable;

/**
 * One way to read the rows of a selection. Immutable.
 *
 * @param name the name of the table, or of one of its indexes
 * @param isIndex which of the two
 * @param figures what it would cost; null if the rows cannot be read in this way
 * @param verdict why it was chosen, or not
 */
public record ReadPlan(
    String name, boolean isIndex, @Nullable ReadFigures figures, String verdict) {}
