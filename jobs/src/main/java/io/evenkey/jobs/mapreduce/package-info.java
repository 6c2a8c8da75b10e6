/**
 * Tables with a layout in MapReduce and Spark jobs: {@link
 * io.evenkey.jobs.mapreduce.EvenkeyInputFormat} reads them by logical keys, {@link
 * io.evenkey.jobs.mapreduce.EvenkeyOutputFormat} writes them, {@link
 * io.evenkey.jobs.mapreduce.BulkLoad} makes store files of records and hands them to HBase.
 */
@NullMarked
package io.evenkey.jobs.mapreduce;

import org.jspecify.annotations.NullMarked;
