/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.compare.Comparison;
import io.evenkey.jobs.compare.ComparisonException;
import io.evenkey.jobs.compare.ComparisonOptions;
import io.evenkey.jobs.export.Exporter;
import io.evenkey.jobs.export.FileFormat;
import io.evenkey.jobs.file.FileRefusedException;
import io.evenkey.jobs.file.OutputFile;
import io.evenkey.jobs.load.LoadException;
import io.evenkey.jobs.load.LoadOptions;
import io.evenkey.jobs.load.LoadResult;
import io.evenkey.jobs.load.Loader;
import io.evenkey.jobs.mapreduce.BulkLoad;
import io.evenkey.jobs.query.RowQuery;
import io.evenkey.jobs.records.Format;
import io.evenkey.jobs.records.Input;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** No job deletes or overwrites what it did not create. */
@ExtendWith(EmbeddedHBaseExtension.class)
class ForeignFilesIT {
  private static final String FOREIGN = "a letter, and the only copy of it\n";

  @TempDir private Path directory;
  private Path checkpoint;
  private Path rejects;
  private Connection connection;
  private SpreadTables tables;
  private SpreadTable table;
  private String test;

  @BeforeEach
  void open(Connection shared, TestInfo info) throws IOException {
    connection = shared;
    tables = SpreadTables.on(shared);
    test = "files_" + info.getTestMethod().orElseThrow().getName();
    table = Tables.create(connection, tables, test, Records.LAYOUT);
    checkpoint = directory.resolve("checkpoint");
    rejects = directory.resolve("rejects.csv");
  }

  @AfterEach
  void close() throws IOException {
    tables.close();
  }

  private LoadOptions options(LoadOptions.Begin begin, boolean replace) {
    return LoadOptions.to(rejects, checkpoint)
        .maxRejects(10_000)
        .begin(begin)
        .replace(replace)
        .checkpointEvery(Duration.ZERO)
        .build();
  }

  private LoadOptions begin() {
    return options(LoadOptions.Begin.FRESH, false);
  }

  private LoadOptions resume() {
    return options(LoadOptions.Begin.RESUME, false);
  }

  private LoadResult load(
      SpreadTable into, Path file, LoadOptions options, Loader.Listener listener)
      throws IOException {
    Input input = Input.file(file);
    return Loader.of(
            into.name(), into.layout(), List.of(input), List.of(Format.CSV.read(input)), options)
        .run(connection, listener);
  }

  private LoadResult load(Path file, LoadOptions options) throws IOException {
    return load(table, file, options, (records, skew) -> {});
  }

  private void killed(Path file, LoadOptions options, long at) {
    assertThatThrownBy(
            () ->
                load(
                    table,
                    file,
                    options,
                    (records, skew) -> {
                      if (records >= at) {
                        throw new IllegalStateException("killed");
                      }
                    }))
        .hasMessage("killed");
  }

  /** Every tenth of them cannot be a row. */
  private Path faulty(int count) throws IOException {
    StringBuilder lines = new StringBuilder(Records.HEADER + "\n");
    for (int i = 0; i < count; i++) {
      lines.append(i % 10 == 0 ? "d,x,1,\n" : "d" + i % 7 + "," + i + ",1,\n");
    }
    return Files.writeString(directory.resolve("faulty.csv"), lines);
  }

  private List<String> names(Path where) throws IOException {
    try (Stream<Path> all = Files.list(where)) {
      return all.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aLoadRefusesAnInvalidCheckpoint() throws IOException {
    Path records = Records.random(1, 100, 0).write(directory.resolve("records.csv"));
    for (String foreign : List.of(FOREIGN, "", "{}", "{\"format\":1,\"inputs\":[]}")) {
      Files.writeString(checkpoint, foreign);
      for (LoadOptions options :
          List.of(
              begin(),
              resume(),
              options(LoadOptions.Begin.RESTART, false),
              options(LoadOptions.Begin.FRESH, true))) {
        assertThatThrownBy(() -> load(records, options))
            .isInstanceOf(LoadException.class)
            .hasMessageStartingWith("not a checkpoint of an import by this version: file=")
            .hasMessageEndingWith("; name another checkpoint");
        assertThat(checkpoint).content().isEqualTo(foreign);
      }
    }
    assertThat(Tables.content(table)).isEmpty();
    Files.delete(checkpoint);
    Files.createDirectory(checkpoint);
    assertThatThrownBy(() -> load(records, begin())).isInstanceOf(LoadException.class);
    assertThat(checkpoint).isEmptyDirectory();
  }

  @Test
  void aLoadRefusesTheCheckpointOfAnotherTable() throws IOException {
    killed(faulty(5_000), begin(), 3_000);
    byte[] theirs = Files.readAllBytes(checkpoint);
    SpreadTable other = Tables.create(connection, tables, test + "_other", Records.LAYOUT);
    rejects = directory.resolve("other.rejects.csv");
    for (LoadOptions options :
        List.of(begin(), resume(), options(LoadOptions.Begin.RESTART, false))) {
      assertThatThrownBy(() -> load(other, faulty(5_000), options, (records, skew) -> {}))
          .isInstanceOf(LoadException.class)
          .hasMessageStartingWith("checkpoint of an import into another table: checkpoint=")
          .hasMessageContaining("table=" + table.name());
    }
    assertThat(checkpoint).hasBinaryContent(theirs);
  }

  @Test
  void aLoadRefusesAFileOfRejectsBeforeItWritesAnything() throws IOException {
    Path file = faulty(100);
    Files.writeString(rejects, FOREIGN);
    for (LoadOptions options :
        List.of(begin(), resume(), options(LoadOptions.Begin.RESTART, false))) {
      assertThatThrownBy(() -> load(file, options))
          .isInstanceOf(FileRefusedException.class)
          .hasMessageStartingWith("file exists: path=" + rejects);
    }
    assertThat(rejects).content().isEqualTo(FOREIGN);
    assertThat(checkpoint).doesNotExist();
    assertThat(Tables.content(table)).isEmpty();

    assertThat(load(file, options(LoadOptions.Begin.FRESH, true)).rejected()).isEqualTo(10);
    assertThat(rejects).content().startsWith("file,line,column,reason\r\n").hasLineCount(11);
    assertThat(names(directory)).containsExactly("faulty.csv", "rejects.csv");
  }

  @Test
  void theInputIsNotTakenForTheFileOfRejects() throws IOException {
    Path file = faulty(100);
    byte[] before = Files.readAllBytes(file);
    rejects = file;
    assertThatThrownBy(() -> load(file, begin())).isInstanceOf(FileRefusedException.class);
    checkpoint = file;
    rejects = directory.resolve("rejects.csv");
    assertThatThrownBy(() -> load(file, begin())).isInstanceOf(LoadException.class);
    assertThat(file).hasBinaryContent(before);
    checkpoint = rejects;
    assertThatThrownBy(this::begin)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("one file for rejects and checkpoint: path=" + rejects);
  }

  @Test
  void aLoadThatIsResumedGoesOnWithItsFileOfRejects() throws IOException {
    Path file = faulty(20_000);
    load(
        Tables.create(connection, tables, test + "_whole", Records.LAYOUT),
        file,
        begin(),
        (records, skew) -> {});
    byte[] whole = Files.readAllBytes(rejects);
    Files.delete(rejects);

    killed(file, begin(), 6_000);
    assertThat(rejects).exists();
    // A line may be cut anywhere by a crash.
    byte[] written = Files.readAllBytes(rejects);
    Files.write(rejects, Arrays.copyOf(written, written.length - 7));
    killed(file, resume(), 13_000);
    LoadResult result = load(file, resume());

    assertThat(result.rejected()).isEqualTo(2_000);
    assertThat(result.rows()).isEqualTo(18_000);
    assertThat(rejects).hasBinaryContent(whole);
    assertThat(checkpoint).doesNotExist();
  }

  @Test
  void aLoadThatIsBegunAgainGoesOnWithItsFileOfRejects() throws IOException {
    Path file = faulty(5_000);
    killed(file, begin(), 3_000);
    assertThat(load(file, options(LoadOptions.Begin.RESTART, false)).rejected()).isEqualTo(500);
    assertThat(rejects).content().hasLineCount(501);
  }

  @Test
  void aLoadThatIsResumedLeavesAnotherFileOfRejectsAsItIs() throws IOException {
    Path file = faulty(20_000);
    killed(file, begin(), 6_000);
    String ours = Files.readString(rejects);
    Path kept = Files.move(rejects, directory.resolve("kept"));
    // Longer than what was written, so that it could be cut.
    for (String foreign :
        List.of(FOREIGN, FOREIGN.repeat(10_000), ours.replace("x", "y"), ours + FOREIGN)) {
      Files.writeString(rejects, foreign);
      assertThatThrownBy(() -> load(file, resume()))
          .isInstanceOf(FileRefusedException.class)
          .hasMessageStartingWith("file of rejects does not belong to this import: byte=")
          .hasMessageEndingWith("; move it away, or name another file for rejects");
      assertThat(Files.readString(rejects)).isEqualTo(foreign);
    }
    Files.move(kept, rejects, StandardCopyOption.REPLACE_EXISTING);
    assertThat(load(file, resume()).rejected()).isEqualTo(2_000);
    assertThat(rejects).content().startsWith(ours).hasLineCount(2_001);
  }

  private LoadResult bulk(Path file, LoadOptions options, Path work, List<Path> made)
      throws IOException {
    List<org.apache.hadoop.fs.Path> files = List.of(new org.apache.hadoop.fs.Path(file.toUri()));
    BulkLoad load = BulkLoad.of(table.name(), table.layout(), files, null, options);
    return load.run(
        connection,
        new org.apache.hadoop.fs.Path(work.toUri()),
        new BulkLoad.Listener() {
          @Override
          public void begins(org.apache.hadoop.fs.Path path) {
            made.add(Path.of(path.toUri().getPath()));
          }

          @Override
          public void progress(double share) {
            assertThat(made.get(0)).isDirectory();
          }
        });
  }

  @Test
  void aBulkLoadDeletesOnlyTheDirectoryThatItMade() throws IOException {
    Records records = Records.random(1, 200, 0);
    Path file = records.write(directory.resolve("records.csv"));
    Path work = directory.resolve("work");
    // Stale files, which must not be loaded either: HBase would refuse them.
    for (String name : List.of("letter", "hfiles/d/letter", "hfiles/_SUCCESS", "staging/letter")) {
      Files.createDirectories(work.resolve(name).getParent());
      Files.writeString(work.resolve(name), FOREIGN);
    }
    List<Path> made = new ArrayList<>();
    bulk(file, begin(), work, made);
    assertThat(Tables.content(table)).isEqualTo(records.last());
    assertThat(made).singleElement().satisfies(path -> assertThat(path).doesNotExist());
    assertThat(made.get(0).getParent()).isEqualTo(work);
    assertThat(made.get(0).getFileName().toString()).startsWith("evenkey-import-" + test + "-");
    assertThat(names(work)).containsExactly("hfiles", "letter", "staging");
    assertThat(names(work.resolve("hfiles"))).containsExactly("_SUCCESS", "d");

    Files.writeString(rejects, FOREIGN);
    assertThatThrownBy(() -> bulk(file, begin(), work, made))
        .isInstanceOf(FileRefusedException.class)
        .hasMessageStartingWith("file exists: path=" + rejects);
    assertThat(made).as("refused before the job begins").hasSize(1);
    assertThatThrownBy(() -> bulk(file, options(LoadOptions.Begin.FRESH, true), rejects, made))
        .hasMessageStartingWith("work directory cannot be made: path=");
    assertThat(rejects).content().isEqualTo(FOREIGN);
  }

  @Test
  void anExportThatFailsLeavesTheFileAsItWas() throws IOException {
    load(Records.random(1, 2_000, 0).write(directory.resolve("records.csv")), begin());
    Path file = Files.writeString(directory.resolve("out.csv"), FOREIGN);
    assertThatThrownBy(() -> OutputFile.at(file, false)).isInstanceOf(FileRefusedException.class);
    OutputFile output = OutputFile.at(file, true);
    assertThatThrownBy(
            () ->
                Exporter.toFile(
                    table,
                    RowQuery.all(),
                    FileFormat.of(Format.CSV),
                    output,
                    rows -> {
                      throw new IllegalStateException("killed");
                    }))
        .hasMessage("killed");
    assertThat(file).content().isEqualTo(FOREIGN);
    assertThat(
            Exporter.toFile(table, RowQuery.all(), FileFormat.of(Format.CSV), output, rows -> {}))
        .isEqualTo(2_000);
    assertThat(file).content().hasLineCount(2_001);
    assertThat(names(directory)).containsExactly("out.csv", "records.csv");
  }

  private ComparisonOptions comparison(boolean resume) {
    return ComparisonOptions.DEFAULT.checkpoint(checkpoint, Duration.ZERO).resume(resume).most(10);
  }

  @Test
  void aComparisonKeepsTheCheckpointThatIsNotItsOwn() throws IOException {
    SpreadTable other = Tables.create(connection, tables, test + "_other", Records.LAYOUT);
    for (String foreign : List.of(FOREIGN, "", "{}")) {
      Files.writeString(checkpoint, foreign);
      for (boolean resume : new boolean[] {false, true}) {
        assertThatThrownBy(() -> Comparison.of(table, other, comparison(resume)))
            .isInstanceOf(ComparisonException.class)
            .hasMessageStartingWith("not a checkpoint of a comparison by this version: file=")
            .hasMessageEndingWith("; name another checkpoint");
        assertThat(checkpoint).content().isEqualTo(foreign);
      }
    }
    Files.delete(checkpoint);
    Comparison first = Comparison.of(table, other, comparison(false));
    // It has taken the path: another does not get it, nor does it take it from another.
    assertThatThrownBy(() -> Comparison.of(other, table, comparison(false)))
        .isInstanceOf(ComparisonException.class)
        .hasMessageStartingWith("checkpoint of another comparison: file=");
    assertThat(first.run(rows -> {}).isSame()).isTrue();
    assertThat(checkpoint).doesNotExist();
  }
}
