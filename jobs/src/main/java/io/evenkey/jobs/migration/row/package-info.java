/**
 * Single rows of a migration: {@link io.evenkey.jobs.migration.row.RowRewriter} maps a stored row
 * of one layout to one of another with all versions, tombstones and tags; {@link
 * io.evenkey.jobs.migration.row.RowRepairs} makes rows of the secondary generation as they are in
 * the primary.
 */
@NullMarked
package io.evenkey.jobs.migration.row;

import org.jspecify.annotations.NullMarked;
