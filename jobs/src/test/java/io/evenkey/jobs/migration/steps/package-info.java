/* SPDX-License-Identifier: Apache-2.0 */
/** The model of a step of a salt that a table gets while clients use it. */
@NullMarked
package io.evenkey.jobs.migration.steps;

import org.jspecify.annotations.NullMarked;
