/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.cell.CellColumn;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.Records;
import io.evenkey.jobs.Tables;
import io.evenkey.jobs.records.Format;
import io.evenkey.jobs.records.Input;
import io.evenkey.jobs.records.InputException;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.layout.Values;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(EmbeddedHBaseExtension.class)
class LoaderIT {
  private static final long SEED = Long.getLong("evenkey.seed", 20261121L);

  @TempDir private Path directory;
  private Connection connection;
  private SpreadTables tables;
  private String test;

  @BeforeEach
  void open(Connection shared, TestInfo info) {
    connection = shared;
    tables = SpreadTables.on(shared);
    test = "load_" + info.getTestMethod().orElseThrow().getName();
  }

  @AfterEach
  void close() throws IOException {
    tables.close();
  }

  private SpreadTable table(String suffix, String line) throws IOException {
    return Tables.create(connection, tables, test + suffix, line);
  }

  private LoadOptions options(DuplicateKeyPolicy policy, boolean resume) {
    return LoadOptions.to(directory.resolve("rejects.csv"), directory.resolve("checkpoint"))
        .onCollision(policy)
        .maxRejects(100)
        .begin(resume ? LoadOptions.Begin.RESUME : LoadOptions.Begin.FRESH)
        .checkpointEvery(Duration.ZERO)
        .build();
  }

  private LoadResult load(SpreadTable table, LoadOptions options, Path... files)
      throws IOException {
    return load(table, options, (records, skew) -> {}, files);
  }

  private LoadResult load(
      SpreadTable table, LoadOptions options, Loader.Listener listener, Path... files)
      throws IOException {
    List<Input> inputs = new ArrayList<>();
    for (Path file : files) {
      inputs.add(Input.file(file));
    }
    return load(table, options, listener, inputs, Format.CSV);
  }

  private LoadResult load(
      SpreadTable table,
      LoadOptions options,
      Loader.Listener listener,
      List<Input> inputs,
      Format format)
      throws IOException {
    List<RecordSource> sources = new ArrayList<>();
    for (Input input : inputs) {
      sources.add(format.read(input));
    }
    return Loader.of(table.name(), table.layout(), inputs, sources, options)
        .run(connection, listener);
  }

  @ParameterizedTest
  @ValueSource(strings = {"records.csv", "records.csv.gz", "records.csv.zst"})
  void everyRecordIsARow(String name) throws IOException {
    Records records = Records.random(SEED, 5_000, 0);
    SpreadTable table = table(name.replace('.', '_'), Records.LAYOUT);

    LoadResult result =
        load(
            table, options(DuplicateKeyPolicy.FAIL, false), records.write(directory.resolve(name)));

    assertThat(Tables.content(table)).isEqualTo(records.last());
    assertThat(result.records()).isEqualTo(5_000);
    assertThat(result.rows()).isEqualTo(5_000);
    assertThat(result.collisions()).isZero();
    assertThat(result.serverSkew()).isBetween(1.0, 3.0);
    assertThat(directory.resolve("checkpoint")).doesNotExist();
    assertThat(directory.resolve("rejects.csv")).doesNotExist();
  }

  @Test
  void ofRecordsWithOneKeyTheLastIsRead() throws IOException {
    Records records = Records.random(SEED, 8_000, 20);
    SpreadTable table = table("", Records.LAYOUT);
    LoadResult result =
        load(
            table,
            options(DuplicateKeyPolicy.REPORT, false),
            records.write(directory.resolve("records.csv")));

    assertThat(Tables.content(table)).isEqualTo(records.last());
    assertThat(result.collisions()).isEqualTo(records.collisions()).isPositive();
    assertThat(result.rows()).isEqualTo(8_000);
    assertThat(result.examples()).hasSize(3);
    assertThat(result.examples().get(0)).matches("\\{device=dev\\d+, ts=\\d+} again on line \\d+");
  }

  @Test
  void noCellIsLaterThanTheClockHoweverManyRecordsHaveOneKey() throws IOException {
    Path file = directory.resolve("records.csv");
    StringBuilder lines = new StringBuilder(Records.HEADER + "\n");
    for (int i = 0; i < 20_000; i++) {
      lines.append("a,1,").append(i).append(",\n");
    }
    Files.writeString(file, lines);
    SpreadTable table = table("", Records.LAYOUT);
    load(table, options(DuplicateKeyPolicy.REPORT, false), file);

    assertThat(Tables.content(table).toString()).contains("19999").doesNotContain("19998");
    assertThat(Tables.timestamps(connection, table.name()))
        .hasSize(1)
        .allMatch(time -> time <= System.currentTimeMillis());
  }

  @Test
  void ofRecordsWithOneKeyTheFirstIsKept() throws IOException {
    Records records = Records.random(SEED, 8_000, 20);
    SpreadTable table = table("", Records.LAYOUT);
    LoadResult result =
        load(
            table,
            options(DuplicateKeyPolicy.KEEP_FIRST, false),
            records.write(directory.resolve("records.csv")));

    assertThat(Tables.content(table)).isEqualTo(records.first());
    assertThat(result.collisions()).isEqualTo(records.collisions());
    assertThat(result.rows()).isEqualTo(8_000 - records.collisions());
  }

  @Test
  void recordsWithOneKeyStopALoadThatMustHaveNone() throws IOException {
    Path file = directory.resolve("records.csv");
    Files.writeString(file, Records.HEADER + "\na,1,2,\nb,1,2,\na,1,3,\n");
    SpreadTable table = table("", Records.LAYOUT);
    assertThatThrownBy(() -> load(table, options(DuplicateKeyPolicy.FAIL, false), file))
        .isInstanceOf(LoadException.class)
        .hasMessageStartingWith("two records with one key, of which HBase keeps one: file=" + file)
        .hasMessageContaining("key={device=a, ts=1} again on line 4");
  }

  @Test
  void recordsThatCannotBeRowsAreReportedWithPlaceAndReason() throws IOException {
    Path file = directory.resolve("records.csv");
    Files.writeString(
        file,
        Records.HEADER + "\na,1,2,\nb,x,2,\nc,3\nd,4,5,ok\n\"e\nf\",5,warm,\n,6,1,\n",
        StandardCharsets.UTF_8);
    SpreadTable table = table("", Records.LAYOUT);
    LoadOptions usual = options(DuplicateKeyPolicy.REPORT, false);
    LoadOptions typed =
        usual.toBuilder()
            .columns(List.of(CellColumn.parse("d:t=temp:float64")))
            .maxRejects(3)
            .writers(2)
            .build();
    LoadResult result = load(table, typed, file);

    assertThat(result.rejected()).isEqualTo(3);
    assertThat(result.rows()).isEqualTo(3);
    assertThat(Files.readAllLines(usual.rejects()))
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("file,line,column,reason"),
            line -> assertThat(line).startsWith(file + ",3,ts,").contains("value=\"\"x\"\""),
            line -> assertThat(line).startsWith(file + ",4,,").contains("column temp is missing"),
            line ->
                assertThat(line).isEqualTo(file + ",6,temp,value not of type float64: value=warm"));
    Result row =
        table.get(new Get(table.layout().logicalKey(Values.of(Map.of("device", "d", "ts", 4L)))));
    assertThat(Bytes.toDouble(row.getValue(Bytes.toBytes("d"), Bytes.toBytes("t")))).isEqualTo(5);

    LoadOptions fewer = typed.toBuilder().maxRejects(2).replace(true).build();
    assertThatThrownBy(() -> load(table, fewer, file))
        .isInstanceOf(LoadException.class)
        .hasMessageStartingWith("too many records cannot be loaded: rejected=3 allowed=2");
  }

  @Test
  void jsonLinesMayHaveColumnsOfTheirOwn() throws IOException {
    String lines =
        """
        {"device":"a","ts":1,"temp":21.50,"on":true}
        {"device":"b","ts":2,"tags":["x","y"],"temp":null}

        not json
        {"device":"c","ts":3,"big":123456789012345678901234567890}
        {"ts":4}
        """;
    SpreadTable table = table("", Records.LAYOUT);
    LoadResult result =
        load(
            table,
            options(DuplicateKeyPolicy.FAIL, false),
            (records, skew) -> {},
            List.of(
                Input.stream(
                    "-", new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)))),
            Format.NDJSON);

    assertThat(Tables.content(table))
        .isEqualTo(
            Map.of(
                "a,1", Map.of("temp", "21.50", "on", "true"),
                "b,2", Map.of("tags", "[\"x\",\"y\"]"),
                "c,3", Map.of("big", "123456789012345678901234567890")));
    assertThat(result.rejected()).isEqualTo(2);
    assertThat(Files.readString(directory.resolve("rejects.csv")))
        .contains("-,4,,\"not JSON: Unrecognized token")
        .contains("-,6,device,");
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {Records.LAYOUT, "salt(8, random) + device:string + ts:int64"})
  void aLoadThatIsKilledResumesWithoutLossOrDuplicates(String line) throws IOException {
    Records records = Records.random(SEED, 20_000, line.contains("random") ? 0 : 10);
    Path file = records.write(directory.resolve("records.csv.gz"));
    SpreadTable whole = table("_whole" + line.length(), line);
    load(whole, options(DuplicateKeyPolicy.REPORT, false), file);
    SpreadTable cut = table("_cut" + line.length(), line);

    LoadOptions first = options(DuplicateKeyPolicy.REPORT, false);
    for (int stop : new int[] {700, 6_000, 13_000, 19_990}) {
      LoadOptions now =
          Files.exists(first.checkpoint()) ? options(DuplicateKeyPolicy.REPORT, true) : first;
      // As a kill would: what is on its way is written or not, the checkpoint stays behind.
      assertThatThrownBy(
              () ->
                  load(
                      cut,
                      now,
                      (count, skew) -> {
                        if (count >= stop) {
                          throw new IllegalStateException("killed");
                        }
                      },
                      file))
          .hasMessage("killed");
      assertThat(first.checkpoint()).exists();
    }
    assertThatThrownBy(() -> load(cut, first, file))
        .isInstanceOf(LoadException.class)
        .hasMessageContainingAll(
            "load was interrupted before", "; resume the load, or begin the load again");
    LoadResult result = load(cut, options(DuplicateKeyPolicy.REPORT, true), file);

    assertThat(result.resumedAt()).isPositive();
    assertThat(result.records()).isEqualTo(20_000);
    assertThat(result.collisions()).isEqualTo(records.collisions());
    assertThat(Tables.content(cut)).isEqualTo(records.last());
    assertThat(Tables.versions(connection, cut.name()))
        .as("cells, all versions: none was written under two timestamps or in two rows")
        .isEqualTo(Tables.versions(connection, whole.name()));
  }

  @Test
  void aLoadRefusesToContinueAChangedFile() throws IOException {
    Path file = Records.random(SEED, 6_000, 0).write(directory.resolve("records.csv"));
    SpreadTable table = table("", Records.LAYOUT);
    new Checkpoint(2, table.name().toString(), "l", List.of(), "", 0, 5)
        .create(directory.resolve("checkpoint"));
    assertThatThrownBy(() -> load(table, options(DuplicateKeyPolicy.REPORT, true), file))
        .isInstanceOf(LoadException.class)
        .hasMessageStartingWith("checkpoint is of a load with other input or options");
  }

  @Test
  void columnsThatAreNotThereAreRefusedBeforeAnythingIsWritten() throws IOException {
    Path file = Records.random(SEED, 10, 0).write(directory.resolve("records.csv"));
    SpreadTable table = table("", "salt(4) + devise:string");
    assertThatThrownBy(() -> load(table, options(DuplicateKeyPolicy.REPORT, false), file))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith("no such column; did you mean 'device'?: file=" + file);
    assertThat(directory.resolve("checkpoint")).doesNotExist();
  }

  /** An error of the input only, with exit code 2, would say that nothing was changed. */
  @Test
  void aFileThatIsDamagedBehindWrittenRecordsStopsTheLoad() throws IOException {
    byte[] first =
        Files.readAllBytes(
            Records.random(SEED, 6_000, 0).write(directory.resolve("records.csv.gz")));
    byte[] damaged = Arrays.copyOf(first, 2 * first.length);
    System.arraycopy(first, 0, damaged, first.length, first.length);
    damaged[first.length + 1] ^= 1;
    Path file = Files.write(directory.resolve("two.csv.gz"), damaged);
    SpreadTable table = table("", Records.LAYOUT);
    LoadOptions options =
        LoadOptions.to(directory.resolve("rejects.csv"), directory.resolve("checkpoint"))
            .writers(1)
            .build();
    assertThatThrownBy(() -> load(table, options, file))
        .isInstanceOf(LoadException.class)
        .hasMessageMatching(
            "load stopped: records_written=\\d+; correct the input, and begin the load again")
        .hasCauseInstanceOf(InputException.class);
    assertThat(Tables.content(table)).isNotEmpty();
  }
}
