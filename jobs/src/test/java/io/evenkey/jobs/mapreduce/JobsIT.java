/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.Records;
import io.evenkey.jobs.Tables;
import io.evenkey.jobs.load.DuplicateKeyPolicy;
import io.evenkey.jobs.load.LoadException;
import io.evenkey.jobs.load.LoadOptions;
import io.evenkey.jobs.load.LoadResult;
import io.evenkey.jobs.load.Loader;
import io.evenkey.jobs.records.Format;
import io.evenkey.jobs.records.Input;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableOutputFormat;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.serializer.WritableSerialization;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs run by Hadoop's own runner in this process. */
@ExtendWith(EmbeddedHBaseExtension.class)
class JobsIT {
  private static final long SEED = Long.getLong("evenkey.seed", 20261121L);
  private static final byte[] FAMILY = Bytes.toBytes("d");

  @TempDir private java.nio.file.Path directory;
  private Connection connection;
  private String rootDirectory;
  private SpreadTables tables;
  private String test;

  @BeforeEach
  void open(EmbeddedHBase hbase, Connection shared, TestInfo info) {
    rootDirectory = hbase.directory().resolve("hbase").toUri().toString();
    connection = shared;
    tables = SpreadTables.on(shared);
    test = "jobs_" + info.getTestMethod().orElseThrow().getName();
  }

  @AfterEach
  void close() throws IOException {
    tables.close();
  }

  private LoadOptions options(DuplicateKeyPolicy policy, long maxRejects) {
    return LoadOptions.to(directory.resolve("rejects.csv"), directory.resolve("checkpoint"))
        .onCollision(policy)
        .maxRejects(maxRejects)
        .replace(true)
        .build();
  }

  private LoadResult bulk(SpreadTable table, LoadOptions options, java.nio.file.Path... files)
      throws IOException {
    List<Path> paths = new ArrayList<>();
    for (java.nio.file.Path file : files) {
      paths.add(new Path(file.toUri()));
    }
    return BulkLoad.of(table.name(), table.layout(), paths, null, options)
        .run(connection, new Path(directory.resolve("work").toUri()), share -> {});
  }

  private SpreadTable loaded(String suffix, Records records) throws IOException {
    SpreadTable table = Tables.create(connection, tables, test + suffix, Records.LAYOUT);
    Input input = Input.file(records.write(directory.resolve("records" + suffix + ".csv")));
    List<RecordSource> sources = List.of(Format.CSV.read(input));
    Loader.of(
            table.name(),
            table.layout(),
            List.of(input),
            sources,
            options(DuplicateKeyPolicy.REPORT, 0))
        .run(connection, (count, skew) -> {});
    return table;
  }

  private Job job() throws IOException {
    Configuration configuration = new Configuration(connection.getConfiguration());
    configuration.set(
        CommonConfigurationKeys.IO_SERIALIZATIONS_KEY, WritableSerialization.class.getName());
    // Job.waitForCompletion looks every five seconds otherwise.
    configuration.setInt(Job.COMPLETION_POLL_INTERVAL_KEY, 50);
    Job job = Job.getInstance(configuration, test);
    job.setNumReduceTasks(0);
    return job;
  }

  @ParameterizedTest
  @EnumSource(
      value = DuplicateKeyPolicy.class,
      names = {"REPORT", "KEEP_FIRST"})
  void filesGiveTheRowsThatPutsWouldGive(DuplicateKeyPolicy policy) throws IOException {
    Records records = Records.random(SEED, 6_000, 20);
    SpreadTable table = Tables.create(connection, tables, test + policy.name(), Records.LAYOUT);
    int half = records.lines().size() / 2;
    // The first record of a key may be in the first file, the last in the second.
    java.nio.file.Path first =
        new Records(records.lines().subList(0, half), Map.of(), Map.of())
            .write(directory.resolve("a.csv"));
    java.nio.file.Path second =
        new Records(records.lines().subList(half, 2 * half), Map.of(), Map.of())
            .write(directory.resolve("b.csv.gz"));

    LoadResult result = bulk(table, options(policy, 0), first, second);

    assertThat(Tables.content(table))
        .isEqualTo(policy == DuplicateKeyPolicy.REPORT ? records.last() : records.first());
    assertThat(Tables.timestamps(connection, table.name())).hasSize(1);
    assertThat(result.records()).isEqualTo(6_000);
    assertThat(result.collisions()).isEqualTo(records.collisions()).isPositive();
    assertThat(result.examples()).hasSize(3).allMatch(text -> text.startsWith("{device=dev"));
    assertThat(directory.resolve("work")).isEmptyDirectory();
  }

  @Test
  void aRefusedBulkLoadLoadsNoRow() throws IOException {
    java.nio.file.Path file = directory.resolve("records.csv");
    Files.writeString(file, Records.HEADER + "\na,1,2,\nb,x,2,\na,1,3,\nc,3\n");
    SpreadTable table = Tables.create(connection, tables, test, Records.LAYOUT);

    assertThatThrownBy(() -> bulk(table, options(DuplicateKeyPolicy.REPORT, 1), file))
        .isInstanceOf(LoadException.class)
        .hasMessageStartingWith(
            "too many records cannot be loaded, so none was loaded: rejected=2 allowed=1");
    assertThatThrownBy(() -> bulk(table, options(DuplicateKeyPolicy.FAIL, 2), file))
        .isInstanceOf(LoadException.class)
        .hasMessageContainingAll("nothing was loaded", "example={device=a, ts=1} 2 times");
    assertThat(Tables.content(table)).isEmpty();

    LoadResult result = bulk(table, options(DuplicateKeyPolicy.REPORT, 2), file);
    assertThat(result.rejected()).isEqualTo(2);
    assertThat(Tables.content(table)).isEqualTo(Map.of("a,1", Map.of("temp", "3")));
    assertThat(Files.readAllLines(directory.resolve("rejects.csv")))
        .hasSize(3)
        .anyMatch(line -> line.contains(",3,ts,"))
        .anyMatch(line -> line.contains(",5,,"));
  }

  /** Writes logical keys down as their fields. */
  static final class KeysMapper extends Mapper<ImmutableBytesWritable, Result, NullWritable, Text> {
    @Override
    protected void map(ImmutableBytesWritable key, Result row, Context context)
        throws IOException, InterruptedException {
      assertThat(key.copyBytes()).isEqualTo(row.getRow());
      Values values = Layout.parse(Records.LAYOUT).decodeLogical(key.copyBytes());
      String temp = Bytes.toString(row.getValue(FAMILY, Bytes.toBytes("temp")));
      context.write(
          NullWritable.get(), new Text(values.get("device") + "," + values.get("ts") + "=" + temp));
    }
  }

  private Map<String, String> keysRead(Job job) throws Exception {
    job.setMapperClass(KeysMapper.class);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(Text.class);
    job.setOutputFormatClass(TextOutputFormat.class);
    java.nio.file.Path out = directory.resolve("out");
    FileOutputFormat.setOutputPath(job, new Path(out.toUri()));
    assertThat(job.waitForCompletion(false)).isTrue();
    Map<String, String> read = new TreeMap<>();
    try (var files = Files.list(out)) {
      for (java.nio.file.Path file :
          files.filter(f -> f.getFileName().toString().startsWith("part-")).toList()) {
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
          String[] parts = line.split("=", 2);
          assertThat(read.put(parts[0], parts[1])).as("read twice: " + line).isNull();
        }
      }
    }
    return read;
  }

  private static Map<String, String> temps(Records records, String device) {
    Map<String, String> temps = new TreeMap<>();
    records
        .last()
        .forEach(
            (key, values) -> {
              if (device.isEmpty() || key.startsWith(device + ",")) {
                temps.put(key, values.get("temp"));
              }
            });
    return temps;
  }

  @Test
  void jobsReadEveryRowOnceByLogicalKeys() throws Exception {
    Records records = Records.random(SEED, 4_000, 0);
    SpreadTable table = loaded("", records);
    Job job = job();
    TableInput.of(table.name()).configure(job);

    assertThat(keysRead(job)).isEqualTo(temps(records, ""));
    assertThat(new EvenkeyInputFormat().getSplits(job))
        .as("8 buckets in 4 regions")
        .hasSize(8)
        .allSatisfy(split -> assertThat(split.getLocations()).isNotEmpty());
  }

  @Test
  void jobsReadTheRowsOfACondition() throws Exception {
    Records records = Records.random(SEED, 4_000, 0);
    SpreadTable table = loaded("", records);
    Job job = job();
    TableInput.of(table.name()).where("device = 'dev7'").configure(job);

    assertThat(new EvenkeyInputFormat().getSplits(job)).hasSize(1);
    assertThat(keysRead(job)).isEqualTo(temps(records, "dev7")).isNotEmpty();
    Scan filtered = new Scan().setFilter(new PageFilter(1));
    assertThatThrownBy(() -> TableInput.of(table.name()).with(filtered))
        .hasMessageStartingWith("scan of a job has bounds, or a filter that looks at the row");
  }

  @Test
  void jobsReadSnapshots() throws Exception {
    Records records = Records.random(SEED, 4_000, 0);
    SpreadTable table = loaded("", records);
    try (Admin admin = connection.getAdmin()) {
      admin.snapshot(test, table.name());
      Job job = job();
      // Read past the servers: this has to know where HBase's files are.
      job.getConfiguration().set(HConstants.HBASE_DIR, rootDirectory);
      TableInput.ofSnapshot(test)
          .where("device in ('dev7', 'dev8')")
          .configure(job, new Path(directory.resolve("restored").toUri()));
      Map<String, String> expected = temps(records, "dev7");
      expected.putAll(temps(records, "dev8"));

      assertThat(keysRead(job)).isEqualTo(expected);
      admin.deleteSnapshot(test);
    }
  }

  /** Copies rows under their logical keys. */
  static final class CopyMapper
      extends Mapper<ImmutableBytesWritable, Result, ImmutableBytesWritable, Mutation> {
    @Override
    protected void map(ImmutableBytesWritable key, Result row, Context context)
        throws IOException, InterruptedException {
      Put put = new Put(key.copyBytes());
      put.addColumn(FAMILY, Bytes.toBytes("temp"), row.getValue(FAMILY, Bytes.toBytes("temp")));
      context.write(key, put);
    }
  }

  @Test
  void jobsWriteLogicalKeys() throws Exception {
    Records records = Records.random(SEED, 3_000, 0);
    SpreadTable from = loaded("_from", records);
    SpreadTable to =
        Tables.create(
            connection, tables, test + "_to", "salt(5, device) + device:string + ts:int64 desc");
    Job job = job();
    TableInput.of(from.name()).configure(job);
    job.setMapperClass(CopyMapper.class);
    job.setOutputFormatClass(EvenkeyOutputFormat.class);
    job.getConfiguration().set(TableOutputFormat.OUTPUT_TABLE, to.name().getNameAsString());
    assertThat(job.waitForCompletion(false)).isTrue();

    Map<String, String> copied = new TreeMap<>();
    Tables.content(to).forEach((key, values) -> copied.put(key, values.get("temp")));
    assertThat(copied).isEqualTo(temps(records, ""));
  }
}
