/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.protocol.index.ReadFigures;
import org.jspecify.annotations.Nullable;

/**
 * One way to read the rows of a selection: from the table or through an index. Immutable.
 *
 * @param name the name of the table or the index
 * @param isIndex whether it is an index
 * @param figures what the read would cost; null if the rows cannot be read in this way
 * @param verdict why the client chose it, or did not, as a phrase for people
 */
public record ReadPlan(
    String name, boolean isIndex, @Nullable ReadFigures figures, String verdict) {}
