/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The change of a layout that only appends {@linkplain io.evenkey.layout.step.AppendedSteps steps}.
 * Not exported: for Evenkey's own modules.
 */
@NullMarked
package io.evenkey.layout.step;

import org.jspecify.annotations.NullMarked;
