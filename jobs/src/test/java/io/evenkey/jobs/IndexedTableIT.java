/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.guard.GuardQuestion;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.index.EntryFamily;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.load.DuplicateKeyPolicy;
import io.evenkey.jobs.load.LoadOptions;
import io.evenkey.jobs.load.LoadResult;
import io.evenkey.jobs.load.Loader;
import io.evenkey.jobs.mapreduce.BulkLoad;
import io.evenkey.jobs.mapreduce.TableInput;
import io.evenkey.jobs.records.Format;
import io.evenkey.jobs.records.Input;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.index.IndexKey;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Jobs write the entries of a table with an index, or refuse the table. */
@ExtendWith(EmbeddedHBaseExtension.class)
class IndexedTableIT {
  private static final Layout LAYOUT = Layout.parse(Records.LAYOUT);
  private static final TableIndex BY_TIME =
      TableIndex.parse("by_time events public as \"salt(2) + " + field("ts") + "\"");

  @TempDir private java.nio.file.Path directory;
  private Connection plain;
  private SpreadTables tables;
  private SpreadTable table;
  private IndexKey key;
  private TableName entries;

  private static String field(String name) {
    return LAYOUT.fields().get(LAYOUT.key().indexOf(name)).toString();
  }

  @BeforeEach
  void create(Connection shared, TestInfo info) throws IOException {
    plain = shared;
    tables = SpreadTables.on(shared);
    String name = "indexed_" + info.getTestMethod().orElseThrow().getName();
    table = Tables.create(plain, tables, name, Records.LAYOUT);
    key = IndexKey.of(LAYOUT, BY_TIME);
    entries = TableName.valueOf(BY_TIME.tableName(name));
    Layout layout = key.index().layout();
    tables.create(entries, layout, layout.splits(2), List.of(Bytes.toString(EntryFamily.name())));
    index(BY_TIME);
  }

  private void index(TableIndex index) throws IOException {
    try (Admin admin = plain.getAdmin();
        Table asked = plain.getTable(table.name())) {
      var now = admin.getDescriptor(table.name());
      GuardState next = TableGuard.state(now).next();
      var indexed = TableLayout.with(now, TableLayout.indexes(now).with(index));
      TableGuard.store(admin, TableGuard.with(indexed, next));
      for (RegionInfo region : admin.getRegions(table.name())) {
        Result answer = asked.get(GuardQuestion.to(region, next.revision()));
        assertThat(GuardQuestion.answer(table.name(), answer).orElseThrow().state())
            .isEqualTo(next);
      }
    }
  }

  @AfterEach
  void close() throws IOException {
    tables.close();
  }

  private LoadOptions options() {
    return LoadOptions.to(directory.resolve("rejects.csv"), directory.resolve("checkpoint"))
        .onCollision(DuplicateKeyPolicy.REPORT)
        .replace(true)
        .build();
  }

  private Input input(Records records) throws IOException {
    return Input.file(records.write(directory.resolve("records.csv")));
  }

  @Test
  void anImportWritesEntriesFirst() throws Exception {
    Records records = Records.random(20261125L, 500, 0);
    Input input = input(records);
    List<RecordSource> sources = List.of(Format.CSV.read(input));
    Loader.of(table.name(), LAYOUT, List.of(input), sources, options())
        .run(plain, (count, skew) -> {});

    assertThat(Tables.content(tables.open(table.name()))).isEqualTo(records.last());
    hasAnEntryForEachRow();
  }

  @Test
  void jobsReadAndWriteATableWhoseRowsStayAsTheyAreWithItsIndex() throws Exception {
    Layout asStored = LAYOUT.plain();
    TableName name = TableName.valueOf(table.name() + "_plain");
    try (Admin admin = plain.getAdmin()) {
      admin.createTable(
          TableLayout.with(
              TableDescriptorBuilder.newBuilder(name)
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
                  .build(),
              asStored));
    }
    table = tables.open(name);
    Records records = Records.random(20261128L, 100, 0);
    Input input = input(records);
    List<RecordSource> sources = List.of(Format.CSV.read(input));
    Loader.of(name, asStored, List.of(input), sources, options()).run(plain, (count, skew) -> {});
    assertThat(read()).hasSameSizeAs(records.last().keySet());

    key = IndexKey.of(asStored, BY_TIME);
    entries = TableName.valueOf(BY_TIME.tableName(name.getNameAsString()));
    Layout layout = key.index().layout();
    tables.create(entries, layout, layout.splits(2), List.of(Bytes.toString(EntryFamily.name())));
    index(BY_TIME);
    assertThat(run(bulk(asStored), share -> {}).rejected()).isZero();
    hasAnEntryForEachRow();
  }

  /** The keys that MapReduce's input format reads. */
  private NavigableSet<String> read() throws Exception {
    Job job = Job.getInstance(new Configuration(plain.getConfiguration()));
    TableInput.of(table.name()).configure(job);
    InputFormat<?, ?> format = job.getInputFormatClass().getDeclaredConstructor().newInstance();
    NavigableSet<String> keys = new TreeSet<>();
    for (InputSplit split : format.getSplits(job)) {
      TaskAttemptContextImpl task =
          new TaskAttemptContextImpl(job.getConfiguration(), new TaskAttemptID());
      try (RecordReader<?, ?> reader = format.createRecordReader(split, task)) {
        reader.initialize(split, task);
        while (reader.nextKeyValue()) {
          byte[] row = ((ImmutableBytesWritable) reader.getCurrentKey()).copyBytes();
          assertThat(keys.add(Bytes.toStringBinary(row))).isTrue();
        }
      }
    }
    return keys;
  }

  private BulkLoad bulk() {
    return bulk(LAYOUT);
  }

  private BulkLoad bulk(Layout layout) {
    return BulkLoad.of(
        table.name(),
        layout,
        List.of(new Path(directory.resolve("records.csv").toUri())),
        null,
        options());
  }

  private LoadResult run(BulkLoad load, BulkLoad.Listener listener) throws IOException {
    return load.run(plain, new Path(directory.resolve("work").toUri()), listener);
  }

  /** As a sweep does. */
  private void anotherVersion() {
    try {
      index(BY_TIME);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The rows of the table, and those that entries name. */
  private void hasAnEntryForEachRow() throws Exception {
    NavigableSet<String> rows = new TreeSet<>();
    try (ResultScanner all = tables.open(table.name()).scanStored()) {
      for (Result row : all) {
        rows.add(Bytes.toStringBinary(row.getRow()));
      }
    }
    NavigableSet<String> indexed = new TreeSet<>();
    try (ResultScanner all = tables.open(entries).scanStored()) {
      for (Result entry : all) {
        indexed.add(Bytes.toStringBinary(key.row(entry.getRow())));
      }
    }
    assertThat(indexed).isEqualTo(rows).isNotEmpty();
    assertThat(read()).isEqualTo(rows);
  }

  @Test
  void aBulkLoadMakesTheFilesOfTheIndexInTheSameJob() throws Exception {
    Records records = Records.random(20261126L, 2_000, 3);
    input(records);
    LoadResult result = run(bulk(), share -> {});
    assertThat(result.rejected()).isZero();
    assertThat(Tables.content(tables.open(table.name()))).isEqualTo(records.last());
    hasAnEntryForEachRow();
  }

  @Test
  void aBulkLoadIsRefusedWhereRowsOfAnIndexChange() throws Exception {
    input(Records.random(20261128L, 10, 0));
    index(TableIndex.parse("by_state mutable public as \"salt(2) + st:string\" from st=d:state"));
    assertThatThrownBy(() -> run(bulk(), share -> {}))
        .isInstanceOf(IndexRefusedException.class)
        .hasMessageContaining("bulk load into a table with an index of mutable rows")
        .hasMessageContaining("index=by_state");
  }

  @Test
  void aBulkLoadIsRefusedWhereTheIndexIsSweptBeforeItsFilesAreLoaded() throws Exception {
    input(Records.random(20261127L, 100, 0));
    AtomicBoolean swept = new AtomicBoolean();
    assertThatThrownBy(
            () ->
                run(
                    bulk(),
                    share -> {
                      if (share > 0.5 && swept.compareAndSet(false, true)) {
                        anotherVersion();
                      }
                    }))
        .isInstanceOf(IOException.class)
        .hasStackTraceContaining("[evenkey:");
    try (ResultScanner all = tables.open(table.name()).scanStored()) {
      assertThat(all.next()).isNull();
    }
    assertThat(run(bulk(), share -> {}).rejected()).isZero();
    try (ResultScanner all = tables.open(table.name()).scanStored()) {
      assertThat(all.next()).isNotNull();
    }
  }
}
