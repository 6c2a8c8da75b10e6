/**
 * Work on whole tables.
 *
 * <p>{@code records} reads records from files, {@code load} writes them to a table, {@code
 * mapreduce} does so as a job. {@code query} reads rows with typed values and {@code export} writes
 * them to files. {@code compare} compares two tables. {@code migration} migrates a live table to
 * another layout, and {@code index} adds, verifies and drops its indexes; both change what region
 * servers accept through {@code guard}. The other packages serve these.
 */
@NullMarked
package io.evenkey.jobs;

import org.jspecify.annotations.NullMarked;
