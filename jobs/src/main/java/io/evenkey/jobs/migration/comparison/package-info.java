/**
 * Comparison of two generations with repair. {@link
 * io.evenkey.jobs.migration.comparison.GenerationComparison} compares the rows that were written in
 * a pass, known by the guard's marks; {@link io.evenkey.jobs.migration.comparison.FilePasses} those
 * in new store files, where there is no guard.
 */
@NullMarked
package io.evenkey.jobs.migration.comparison;

import org.jspecify.annotations.NullMarked;
