/* SPDX-License-Identifier: Apache-2.0 */
/** A model of a migration that changes the row key, searched exhaustively. */
@org.jspecify.annotations.NullMarked
package io.evenkey.jobs.migration.keys;
