/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How a table is created. A {@link io.evenkey.client.plan.Plan} has the settings that an operator
 * stores for a table or a namespace; a {@link io.evenkey.client.plan.NewTable} is the descriptor
 * and the split keys that follow from it, with the reason for each choice.
 */
@NullMarked
package io.evenkey.client.plan;

import org.jspecify.annotations.NullMarked;
