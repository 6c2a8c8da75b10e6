/**
 * Records in the order of their arrival, read from files and streams: comma- or tab-separated
 * values with a header, or one JSON object in a line, packed by gzip or Zstandard or not; and files
 * with a schema, Parquet and Avro. A {@link io.evenkey.jobs.records.RecordSource} opens a {@link
 * io.evenkey.jobs.records.RecordCursor}, which knows the place of each record for messages and
 * checkpoints.
 */
@NullMarked
package io.evenkey.jobs.records;

import org.jspecify.annotations.NullMarked;
