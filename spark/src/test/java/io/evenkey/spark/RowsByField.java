/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import io.evenkey.jobs.mapreduce.EvenkeyInputFormat;
import io.evenkey.jobs.mapreduce.EvenkeyOutputFormat;
import io.evenkey.jobs.mapreduce.TableInput;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableOutputFormat;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** Counts the rows of a table by a field of their keys, and writes the counts to another table. */
public final class RowsByField {
  private RowsByField() {}

  /**
   * Counts rows.
   *
   * @param hbase the configuration of HBase's client
   * @param where a condition on the fields of the key
   * @param line the table's layout; tasks make it again, since it cannot be sent
   */
  public static Map<String, Long> count(
      JavaSparkContext spark,
      Configuration hbase,
      TableName table,
      String where,
      String line,
      String field)
      throws IOException {
    return rows(spark, hbase, table, where).map(row -> valueOf(field, row._1, line)).countByValue();
  }

  private static String valueOf(String field, ImmutableBytesWritable key, String line) {
    return String.valueOf(Layout.parse(line).decodeLogical(key.copyBytes()).get(field));
  }

  private static JavaPairRDD<ImmutableBytesWritable, Result> rows(
      JavaSparkContext spark, Configuration hbase, TableName table, String where)
      throws IOException {
    Configuration job = new Configuration(hbase);
    TableInput.of(table).where(where).addTo(job);
    return spark.newAPIHadoopRDD(
        job, EvenkeyInputFormat.class, ImmutableBytesWritable.class, Result.class);
  }

  /**
   * Counts rows by the first field of the key, and writes each count to a row of another table
   * under that value.
   */
  public static void countInto(
      JavaSparkContext spark,
      Configuration hbase,
      TableName from,
      String where,
      String line,
      String field,
      TableName into)
      throws IOException {
    Configuration job = new Configuration(hbase);
    job.set(TableOutputFormat.OUTPUT_TABLE, into.getNameAsString());
    job.setClass(
        MRJobConfig.OUTPUT_FORMAT_CLASS_ATTR,
        EvenkeyOutputFormat.class,
        org.apache.hadoop.mapreduce.OutputFormat.class);
    rows(spark, hbase, from, where)
        .mapToPair(row -> new Tuple2<>(valueOf(field, row._1, line), 1L))
        .reduceByKey(Long::sum)
        .mapToPair(
            count ->
                new Tuple2<>(
                    new ImmutableBytesWritable(),
                    new Put(Bytes.toBytes(count._1))
                        .addColumn(
                            Bytes.toBytes("d"), Bytes.toBytes("rows"), Bytes.toBytes(count._2))))
        .saveAsNewAPIHadoopDataset(job);
  }
}
