/**
 * Spread tables in jobs of MapReduce and Spark: {@link
 * io.evenkey.jobs.mapreduce.EvenkeyInputFormat} reads them by logical keys, {@link
 * io.evenkey.jobs.mapreduce.EvenkeyOutputFormat} writes them, {@link
 * io.evenkey.jobs.mapreduce.BulkLoad} makes files of records and hands them to HBase.
 */
@NullMarked
package io.evenkey.jobs.mapreduce;

import org.jspecify.annotations.NullMarked;
