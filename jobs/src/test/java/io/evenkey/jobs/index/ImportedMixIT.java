/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.load.DuplicateKeyPolicy;
import io.evenkey.jobs.load.LoadOptions;
import io.evenkey.jobs.load.LoadResult;
import io.evenkey.jobs.load.Loader;
import io.evenkey.jobs.mapreduce.BulkLoad;
import io.evenkey.jobs.mapreduce.EvenkeyOutputFormat;
import io.evenkey.jobs.records.Format;
import io.evenkey.jobs.records.Input;
import io.evenkey.jobs.schedule.Milliseconds;
import io.evenkey.protocol.index.IndexProtocol;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableOutputFormat;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.serializer.WritableSerialization;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Any mix of imports by puts and by files, jobs, writes of a client and changes of the indexes:
 * each way to read has the rows of a filter of a scan of the whole table.
 *
 * <p>{@code -Devenkey.seed=N} is the seed of the first mix, {@code -Devenkey.mixes=N} how many
 * there are of each protocol.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
class ImportedMixIT {
  private static final long SEED = Long.getLong("evenkey.seed", 20261128L);
  private static final int MIXES =
      Integer.getInteger("evenkey.mixes", Boolean.getBoolean("evenkey.deep") ? 20 : 1);
  private static final int STEPS = 8;
  private static final int DEVICES = 4;
  private static final int TIMES = 40;

  @TempDir private Path directory;
  private Connection plain;
  private Connection dropIn;
  private SpreadTables tables;
  private Registry registry;

  @BeforeEach
  void open(Connection shared) throws IOException {
    plain = shared;
    Configuration configuration = new Configuration(shared.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    dropIn = ConnectionFactory.createConnection(configuration);
    tables = SpreadTables.on(shared);
    registry = Registry.open(shared.getConfiguration());
  }

  @AfterEach
  void close() throws IOException {
    registry.close();
    tables.close();
    dropIn.close();
  }

  @Tag("ci")
  @ParameterizedTest
  @EnumSource(value = IndexProtocol.class, names = "MUTABLE", mode = EnumSource.Mode.EXCLUDE)
  void readsTheSameByEachWayOfRowsThatStay(IndexProtocol protocol) throws Exception {
    readsTheSameByEachWay(protocol);
  }

  @Tag("ci")
  @ParameterizedTest
  @EnumSource(value = IndexProtocol.class, names = "MUTABLE")
  void readsTheSameByEachWay(IndexProtocol protocol) throws Exception {
    for (long seed = SEED; seed < SEED + MIXES; seed++) {
      new Mix(protocol, seed).run();
    }
  }

  /** What changes the table at once. */
  private enum Change {
    IMPORT,
    BULK,
    JOB,
    CLIENT,
    SWEEP,
    LATER_INDEX
  }

  /** Puts the row of each line. */
  static final class PutMapper
      extends Mapper<LongWritable, Text, ImmutableBytesWritable, Mutation> {
    @Override
    protected void map(LongWritable offset, Text line, Context context)
        throws IOException, InterruptedException {
      Mutation put = Reading.parse(line.toString()).put();
      context.write(new ImmutableBytesWritable(put.getRow()), put);
    }
  }

  private final class Mix {
    private final IndexProtocol protocol;
    private final String run;
    private final SplittableRandom random;
    private final SpreadTable table;
    private final Map<String, TableIndex> indexes = new LinkedHashMap<>();
    private final List<Change> changes = new ArrayList<>();

    Mix(IndexProtocol protocol, long seed) throws IOException {
      this.protocol = protocol;
      this.run = "-Devenkey.seed=" + seed + " -Devenkey.mixes=1";
      this.random = new SplittableRandom(seed);
      TableName name = TableName.valueOf("imported_" + protocol + "_" + seed);
      this.table = tables.create(name, Reading.LAYOUT, Reading.LAYOUT.splits(2), List.of("d"));
    }

    private TableIndex index(String text, String columns) {
      return TableIndex.parse(text + columns);
    }

    void run() throws Exception {
      add(
          index(
              "by_temp " + protocol + " joining as \"salt(3) + temp:string + ts:int64\"",
              " from temp=d:temp covering d:note"));
      add(
          index(
                  "late_notes " + protocol + " joining as \"salt(1) + note:string desc\"",
                  " from note=d:note")
              .where("note >= 'n2'"));
      if (random.nextBoolean()) {
        IndexProtocol ofKey = isMutable() ? IndexProtocol.EVENTS : protocol;
        add(index("by_ts " + ofKey + " joining as \"salt(2) + ts:int64\"", ""));
      }
      List<Change> allowed = new ArrayList<>(List.of(Change.values()));
      if (isMutable()) {
        allowed.remove(Change.BULK);
      }
      for (int i = 0; i < STEPS; i++) {
        // Each once, then any.
        Change change = allowed.get(i < allowed.size() ? i : random.nextInt(allowed.size()));
        changes.add(change);
        make(change);
        ReadingPaths.compare(
            plain, dropIn, table, List.copyOf(indexes.values()), run + " after " + changes);
      }
    }

    private boolean isMutable() {
      return protocol == IndexProtocol.MUTABLE;
    }

    private void make(Change change) throws Exception {
      switch (change) {
        case IMPORT -> importFile();
        case BULK -> bulk();
        case JOB -> job();
        case CLIENT -> writeAsClient();
        case SWEEP -> sweep();
        case LATER_INDEX -> addOrDrop();
      }
    }

    private void add(TableIndex index) throws IOException {
      new IndexAddition(table.name(), index, 0, 0).run(plain, registry, IndexListener.NONE);
      indexes.put(index.name(), index);
    }

    private void addOrDrop() throws IOException {
      TableIndex later =
          index(
              "by_both " + protocol + " joining as \"salt(2) + note:string + temp:string\"",
              " from note=d:note, temp=d:temp");
      if (indexes.remove(later.name()) == null) {
        add(later);
      } else {
        IndexRemoval.run(plain, registry, table.name(), later.name(), IndexListener.NONE);
      }
    }

    private void sweep() throws IOException {
      for (String name : indexes.keySet()) {
        IndexVerification.sweep(plain, registry, table.name(), name, IndexListener.NONE);
      }
    }

    /** Different rows, whose indexed columns change only if rows may. */
    private List<Reading> readings() {
      Map<String, Reading> readings = new LinkedHashMap<>();
      for (int i = 0; i < 50; i++) {
        String device = "dev" + random.nextInt(DEVICES);
        int ts = random.nextInt(TIMES);
        int own = isMutable() ? random.nextInt(1_000) : 31 * ts + device.charAt(3) * 17;
        String temp = "t" + own % 7;
        String note = "n" + own % 5;
        // An index of mutable rows takes either of the columns; one of events both or none, where
        // a row without a value for it never has one.
        boolean some = isMutable() && random.nextInt(3) == 0;
        boolean first = random.nextBoolean();
        readings.put(
            device + ts,
            new Reading(device, ts, some && first ? null : temp, some && !first ? null : note));
      }
      return List.copyOf(readings.values());
    }

    private Path file(boolean headed) throws IOException {
      List<String> lines = new ArrayList<>(headed ? List.of(Reading.HEADER) : List.of());
      readings().forEach(reading -> lines.add(reading.line()));
      return Files.write(directory.resolve("file" + random.nextInt(1_000_000) + ".csv"), lines);
    }

    private LoadOptions options() {
      return LoadOptions.to(directory.resolve("rejects.csv"), directory.resolve("checkpoint"))
          .onCollision(DuplicateKeyPolicy.REPORT)
          .replace(true)
          .build();
    }

    private void importFile() throws IOException {
      Input input = Input.file(file(true));
      LoadResult result =
          Loader.of(
                  table.name(),
                  Reading.LAYOUT,
                  List.of(input),
                  List.of(Format.CSV.read(input)),
                  options())
              .run(plain, (count, skew) -> {});
      assertThat(result.rejected()).as(run).isZero();
    }

    private void bulk() throws IOException {
      List<org.apache.hadoop.fs.Path> files =
          List.of(new org.apache.hadoop.fs.Path(file(true).toUri()));
      LoadResult result =
          BulkLoad.of(table.name(), Reading.LAYOUT, files, null, options())
              .run(
                  plain,
                  new org.apache.hadoop.fs.Path(directory.resolve("work").toUri()),
                  share -> {});
      assertThat(result.rejected()).as(run).isZero();
    }

    private void job() throws Exception {
      Configuration configuration = new Configuration(plain.getConfiguration());
      configuration.set(
          CommonConfigurationKeys.IO_SERIALIZATIONS_KEY, WritableSerialization.class.getName());
      // Job.waitForCompletion looks every five seconds otherwise.
      configuration.setInt(Job.COMPLETION_POLL_INTERVAL_KEY, 50);
      configuration.set(TableOutputFormat.OUTPUT_TABLE, table.name().getNameAsString());
      Job job = Job.getInstance(configuration, table.name().getNameAsString());
      job.setNumReduceTasks(0);
      job.setMapperClass(PutMapper.class);
      job.setInputFormatClass(TextInputFormat.class);
      FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(file(false).toUri()));
      job.setOutputFormatClass(EvenkeyOutputFormat.class);
      assertThat(job.waitForCompletion(false)).as(run).isTrue();
    }

    private void writeAsClient() throws IOException {
      table.put(readings().stream().map(Reading::put).toList());
      if (protocol != IndexProtocol.APPEND_ONLY) {
        List<Delete> deletes = new ArrayList<>();
        readings().subList(0, 10).forEach(reading -> deletes.add(new Delete(reading.key())));
        table.delete(deletes);
        Milliseconds.awaitNext();
      }
    }
  }
}
