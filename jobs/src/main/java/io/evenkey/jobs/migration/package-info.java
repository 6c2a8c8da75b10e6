/**
 * The migration of a live table to another layout: the table's next <i>generation</i> is created,
 * filled, compared and switched to, while clients read and write.
 *
 * <p>This package has the words that all parts share: a {@link
 * io.evenkey.jobs.migration.MigrationPlan} is what the operator asked for, a {@link
 * io.evenkey.jobs.migration.MigrationRecord} the state in the registry, a {@link
 * io.evenkey.jobs.migration.MigrationListener} watches. {@code protocol} runs the stages, {@code
 * generation} creates and drops generations, {@code copy} fills the next one by a job, {@code row}
 * rewrites and repairs single rows, {@code comparison} finds rows that differ. {@code step} serves
 * a step of a salt, which copies no row, and {@code cluster} the peer of a replicated table. Begin
 * with {@link io.evenkey.jobs.migration.Transitions}, which lists the stages. Decision 0012 has the
 * protocol and its proof.
 */
@NullMarked
package io.evenkey.jobs.migration;

import org.jspecify.annotations.NullMarked;
