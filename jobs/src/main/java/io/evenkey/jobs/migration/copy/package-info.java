/**
 * The copy of all rows into the next generation, as a MapReduce job.
 *
 * <p>{@link io.evenkey.jobs.migration.copy.CopyRounds} runs rounds of {@link
 * io.evenkey.jobs.migration.copy.Copy}, each over what was not copied yet. A {@code RateLimiter}
 * keeps the rate that the operator set, and {@code LatencyController} lowers it while reads of the
 * live table are slow.
 */
@NullMarked
package io.evenkey.jobs.migration.copy;

import org.jspecify.annotations.NullMarked;
