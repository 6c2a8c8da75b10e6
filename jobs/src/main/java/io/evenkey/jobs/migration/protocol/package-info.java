/**
 * The stages of a migration, in order, each of which can be resumed after a crash.
 *
 * <p>A {@link io.evenkey.jobs.migration.protocol.Migrator} takes the table's lock and runs stages
 * until the goal. There are three protocols: {@code GuardProtocol} where region servers have the
 * guard, which refuses writes to the wrong generation; {@code NameProtocol} where they have not,
 * which disables the table and exchanges table names by snapshots; and {@code StepProtocol} for a
 * step of a salt, which stays in its table.
 */
@NullMarked
package io.evenkey.jobs.migration.protocol;

import org.jspecify.annotations.NullMarked;
