/**
 * Rows read as typed values. A {@link io.evenkey.jobs.query.RowQuery} selects rows and columns,
 * {@link io.evenkey.jobs.query.Rows} iterates over the result, a {@link io.evenkey.jobs.query.Row}
 * has the values of key fields and columns. {@code scan}, {@code get} and {@code export} read by
 * it.
 */
@NullMarked
package io.evenkey.jobs.query;

import org.jspecify.annotations.NullMarked;
