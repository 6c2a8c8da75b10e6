/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.PerformanceEvaluation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.IdentityTableMapper;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.hbase.mapreduce.TableOutputFormat;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.LoadTestTool;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** HBase's own tools and jobs, in their published form, on salted tables. */
@ExtendWith(EmbeddedHBaseExtension.class)
class ToolsIT {
  private static final String LAYOUT = "salt(4) + key:bytes";
  private static final byte[] FAMILY = Bytes.toBytes("d");

  private Configuration configuration;
  private Connection plain;

  @BeforeEach
  void configure(EmbeddedHBase hbase) throws IOException {
    configuration = hbase.configuration();
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    configuration.set(EvenkeyConnection.DEFAULT_LAYOUT, LAYOUT);
    // The judge's own configuration makes every connection a judged one.
    Configuration unjudged = new Configuration(configuration);
    unjudged.unset(EvenkeyConnection.SETTING);
    plain = ConnectionFactory.createConnection(unjudged);
  }

  @AfterEach
  void close() throws IOException {
    plain.close();
  }

  /** The stored rows; each has to fit its layout. */
  private List<byte[]> stored(String table) throws IOException {
    Layout layout = Layout.parse(LAYOUT);
    try (Admin admin = plain.getAdmin()) {
      assertThat(admin.getDescriptor(TableName.valueOf(table)).getValue(TableLayout.LAYOUT))
          .isEqualTo(LAYOUT);
    }
    List<byte[]> rows = new ArrayList<>();
    try (Table stored = plain.getTable(TableName.valueOf(table));
        ResultScanner scanner = stored.getScanner(new Scan())) {
      for (Result row : scanner) {
        byte[] logical = layout.logical(row.getRow());
        assertThat(layout.physical(logical)).isEqualTo(row.getRow());
        rows.add(logical);
      }
    }
    return rows;
  }

  @Test
  void performanceEvaluationRunsEveryCommand() throws Exception {
    for (String command :
        new String[] {
          "sequentialWrite", "randomWrite", "sequentialRead", "randomRead", "scan", "scanRange100",
          "filterScan", "increment", "append", "checkAndPut", "checkAndMutate", "checkAndDelete",
          "asyncSequentialWrite", "asyncScan", "asyncRandomRead", "multiGet"
        }) {
      List<String> arguments =
          new ArrayList<>(List.of("--nomapred", "--table=pe", "--rows=300", "--multiGet=10"));
      arguments.add(command.equals("multiGet") ? "randomRead" : command);
      arguments.add("1");
      int exit = new PerformanceEvaluation(configuration).run(arguments.toArray(new String[0]));
      assertThat(exit).as(command).isZero();
    }
    assertThat(stored("pe").size()).isBetween(190, 300);
  }

  @Test
  void loadTestToolReadsBackWhatItWrote() throws Exception {
    run("-write", "2:100:2", "-multiput", "-num_regions_per_server", "2");
    run("-update", "20:2", "-skip_init");
    run("-read", "100:2", "-multiget_batchsize", "10", "-skip_init");
    assertThat(stored("load")).hasSize(500);
  }

  private void run(String... what) throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("-zk", configuration.get("hbase.zookeeper.quorum"), "-tn", "load"));
    arguments.addAll(List.of("-num_keys", "500"));
    arguments.addAll(List.of(what));
    LoadTestTool tool = new LoadTestTool();
    tool.setConf(configuration);
    assertThat(tool.run(arguments.toArray(new String[0]))).as("%s", arguments).isZero();
  }

  @Test
  void aJobCopiesRowsFromTableToTable() throws Exception {
    List<byte[]> keys = new ArrayList<>();
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin()) {
      for (String name : new String[] {"job_from", "job_to"}) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build());
      }
      try (Table from = connection.getTable(TableName.valueOf("job_from"))) {
        for (int i = 0; i < 1000; i++) {
          byte[] key = Bytes.toBytes(String.format("%04d", i));
          keys.add(key);
          from.put(new Put(key).addColumn(FAMILY, FAMILY, Bytes.toBytes(i)));
        }
      }
    }
    Scan scan = new Scan().withStartRow(keys.get(100)).withStopRow(keys.get(900));
    Job job = Job.getInstance(configuration, "copy");
    TableMapReduceUtil.initTableMapperJob(
        "job_from", scan, Copy.class, ImmutableBytesWritable.class, Put.class, job, false);
    job.getConfiguration().set(TableOutputFormat.OUTPUT_TABLE, "job_to");
    job.setOutputFormatClass(TableOutputFormat.class);
    job.setNumReduceTasks(0);
    assertThat(job.waitForCompletion(false)).isTrue();
    assertThat(stored("job_to"))
        .usingElementComparator(Bytes::compareTo)
        .containsExactlyInAnyOrderElementsOf(keys.subList(100, 900));
  }

  /** Writes each row under its own key. */
  static final class Copy extends TableMapper<ImmutableBytesWritable, Put> {
    @Override
    protected void map(ImmutableBytesWritable key, Result row, Context context)
        throws IOException, InterruptedException {
      assertThat(row.getRow()).isEqualTo(key.copyBytes());
      Put put = new Put(row.getRow());
      put.addColumn(FAMILY, FAMILY, row.getValue(FAMILY, FAMILY));
      context.write(key, put);
    }
  }

  @Test
  void aJobReadsEveryRowOnce() throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf("job_count"))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
      try (Table table = connection.getTable(TableName.valueOf("job_count"))) {
        for (int i = 0; i < 256; i++) {
          table.put(new Put(new byte[] {(byte) i, 7}).addColumn(FAMILY, FAMILY, FAMILY));
        }
      }
    }
    Job job = Job.getInstance(configuration, "count");
    TableMapReduceUtil.initTableMapperJob(
        "job_count",
        new Scan(),
        IdentityTableMapper.class,
        ImmutableBytesWritable.class,
        Result.class,
        job,
        false);
    job.setOutputFormatClass(NullOutputFormat.class);
    job.setNumReduceTasks(0);
    // An input split is one region, and here a region is one bucket.
    TableInputFormat format = new TableInputFormat();
    format.setConf(job.getConfiguration());
    List<InputSplit> splits = format.getSplits(job);
    assertThat(splits).hasSize(4);
    assertThat(splits).extracting(split -> split.getLocations()[0]).contains("localhost");
    assertThat(job.waitForCompletion(false)).isTrue();
    assertThat(
            job.getCounters()
                .findCounter("org.apache.hadoop.mapreduce.TaskCounter", "MAP_INPUT_RECORDS")
                .getValue())
        .isEqualTo(256);
  }
}
