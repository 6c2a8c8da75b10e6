/**
 * Tables written to files as CSV, TSV, JSON lines, Parquet or Avro: an {@link
 * io.evenkey.jobs.export.Exporter} writes the rows of a query to a {@link
 * io.evenkey.jobs.export.RowOutput}.
 */
@NullMarked
package io.evenkey.jobs.export;

import org.jspecify.annotations.NullMarked;
