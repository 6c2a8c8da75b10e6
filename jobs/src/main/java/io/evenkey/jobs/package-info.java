/**
 * Work on whole tables: records into them and out of them.
 *
 * <p>{@code input} reads records, {@code load} writes them to a table, {@code mapreduce} does the
 * same as jobs and opens tables to jobs of others, {@code export} writes tables out.
 */
@NullMarked
package io.evenkey.jobs;

import org.jspecify.annotations.NullMarked;
