/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Changes of a table that all its regions have to act by, made by migrations and by commands on
 * indexes: {@link io.evenkey.jobs.guard.GuardControl} stores a state in the table's descriptor, and
 * asks each region until it acts by it.
 */
@NullMarked
package io.evenkey.jobs.guard;

import org.jspecify.annotations.NullMarked;
