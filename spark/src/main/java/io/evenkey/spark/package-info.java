/**
 * Spread tables as a data source of Spark SQL. {@link io.evenkey.spark.EvenkeyDataSource} is where
 * Spark begins. A read goes from the builder of a scan, which takes the conditions on key fields,
 * to partitions, which are the splits of {@code evenkey-jobs}, and to rows; a write is one of puts
 * or one of HFiles.
 */
@NullMarked
package io.evenkey.spark;

import org.jspecify.annotations.NullMarked;
