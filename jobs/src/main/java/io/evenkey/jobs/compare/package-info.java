/**
 * Comparison of two tables that have the same logical keys, row by row and cell by cell. HBase's
 * own tools compare in the order of stored rows, which differs between layouts; {@link
 * io.evenkey.jobs.compare.Comparison} compares in logical order. A row that differs is read again
 * before it is reported, because clients may be writing it.
 */
@NullMarked
package io.evenkey.jobs.compare;

import org.jspecify.annotations.NullMarked;
