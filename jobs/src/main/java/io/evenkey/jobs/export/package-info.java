/**
 * Tables written to files as CSV, TSV or JSON lines: an {@link io.evenkey.jobs.export.Exporter}
 * writes the rows of a query to a {@link io.evenkey.jobs.export.RowOutput}.
 */
@NullMarked
package io.evenkey.jobs.export;

import org.jspecify.annotations.NullMarked;
