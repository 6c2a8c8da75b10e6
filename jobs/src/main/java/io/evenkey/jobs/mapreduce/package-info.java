/**
 * Tables with a layout in MapReduce and Spark jobs: {@link
 * io.evenkey.jobs.mapreduce.EvenkeyInputFormat} reads them by logical keys, {@link
 * io.evenkey.jobs.mapreduce.EvenkeyOutputFormat} writes them, {@link
 * io.evenkey.jobs.mapreduce.BulkLoad} makes store files of records and hands them to HBase. What a
 * bulk load by Spark has in common with it is in {@link io.evenkey.jobs.mapreduce.LoadedTables},
 * {@link io.evenkey.jobs.mapreduce.EntryRows} and {@link io.evenkey.jobs.mapreduce.HFiles}.
 */
@NullMarked
package io.evenkey.jobs.mapreduce;

import org.jspecify.annotations.NullMarked;
