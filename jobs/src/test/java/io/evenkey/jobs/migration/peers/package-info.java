/* SPDX-License-Identifier: Apache-2.0 */
/** A model of a migration of a replicated table and of its peer, searched exhaustively. */
@org.jspecify.annotations.NullMarked
package io.evenkey.jobs.migration.peers;
