/**
 * The tables of a migration: {@link io.evenkey.jobs.migration.generation.Generations} creates the
 * next generation with the descriptor, rights and rights of cells of the first, flushes it, keeps
 * its tombstones while it is copied, and drops it; {@link
 * io.evenkey.jobs.migration.generation.MigrationChecks} refuses tables for which that would lose
 * something. {@link io.evenkey.jobs.migration.generation.NamedGenerations} does so where names are
 * exchanged.
 */
@NullMarked
package io.evenkey.jobs.migration.generation;

import org.jspecify.annotations.NullMarked;
