/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.compare;

import static io.evenkey.jobs.compare.RowOfCells.KEY;
import static io.evenkey.jobs.compare.RowOfCells.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.jobs.compare.ComparisonCheckpoint.Pass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonCheckpointTest {
  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void name() {
    file = directory.resolve("checkpoint.json");
  }

  private ComparisonCheckpoint open(Pass pass, boolean resume) throws IOException {
    return ComparisonCheckpoint.of(file, "a | b", pass, resume);
  }

  private Tally tally(Duration every) throws IOException {
    ComparisonOptions options = ComparisonOptions.DEFAULT.checkpoint(file, every).most(2);
    return new Tally(options, open(Pass.FIRST, true), rows -> {});
  }

  @Test
  void withoutAFileAComparisonBeginsAtItsFirstPass() throws IOException {
    assertThat(ComparisonCheckpoint.of(null, "a | b", Pass.BOTH, true))
        .isEqualTo(ComparisonCheckpoint.begin("a | b", Pass.BOTH));
  }

  @Test
  void aComparisonThatBeginsTakesItsFile() throws IOException {
    ComparisonCheckpoint begun = open(Pass.BOTH, false);
    assertThat(file).exists();
    assertThat(open(Pass.BOTH, true)).isEqualTo(begun);
    assertThat(open(Pass.BOTH, false)).as("nothing is lost").isEqualTo(begun);
  }

  @Test
  void anInterruptedComparisonIsResumedOnlyIfThatIsAskedFor() throws IOException {
    Tally tally = tally(Duration.ofDays(1));
    tally.first(row("Put f:q@5=x", "Put f:r@5=x"));
    tally.second();
    tally.suspect(KEY);
    tally.begin(Pass.SECOND);
    assertThatThrownBy(() -> open(Pass.FIRST, false))
        .isInstanceOf(ComparisonException.class)
        .hasMessage(
            "a comparison was interrupted: checkpoint="
                + file
                + "; resume the comparison, or delete the file");
    ComparisonCheckpoint read = open(Pass.FIRST, true);
    assertThat(read)
        .isEqualTo(
            new ComparisonCheckpoint(
                ComparisonCheckpoint.FORMAT, "a | b", Pass.SECOND, "", 1, 1, 2, List.of("6b6579")));
    Tally resumed = tally(Duration.ZERO);
    assertThat(resumed.pass()).isEqualTo(Pass.SECOND);
    assertThat(resumed.after()).isEmpty();
    assertThat(resumed.suspects()).singleElement().isEqualTo(KEY);
  }

  @Test
  void aCheckpointIsWrittenWhenItIsDue() throws IOException {
    Tally patient = tally(Duration.ofDays(1));
    patient.at(Pass.FIRST, KEY);
    assertThat(open(Pass.FIRST, true).after()).as("not due").isEmpty();
    tally(Duration.ofNanos(-1)).at(Pass.FIRST, KEY);
    assertThat(open(Pass.FIRST, true).after()).isEqualTo("6b6579");
    assertThat(tally(Duration.ZERO).after()).isEqualTo(KEY);
  }

  @Test
  void theCheckpointGoesWhenAllIsCompared() throws IOException {
    List<Long> shown = new ArrayList<>();
    ComparisonOptions options = ComparisonOptions.DEFAULT.checkpoint(file, Duration.ofDays(1));
    Tally tally = new Tally(options, open(Pass.BOTH, false), shown::add);
    tally.first(row("Put f:q@5=x"));
    tally.suspect(KEY);
    ComparisonResult result = tally.finish(List.of(), true, 2.5);
    assertThat(result).isEqualTo(new ComparisonResult(1, 0, 1, 1, List.of(), true, 2.5));
    assertThat(shown).containsExactly(1L);
    assertThat(file).doesNotExist();
  }

  @Test
  void aComparisonIsFullWhenAsManyRowsDifferAsMay() throws IOException {
    Tally tally = tally(Duration.ofDays(1));
    tally.suspect(KEY);
    tally.suspect(KEY);
    assertThat(tally.isFull()).as("one row, twice").isFalse();
    tally.suspect(new byte[] {1});
    assertThat(tally.isFull()).isTrue();
  }

  @Test
  void aFileOfSomethingElseIsRefused() throws IOException {
    open(Pass.BOTH, false);
    assertThatThrownBy(() -> ComparisonCheckpoint.of(file, "a | c", Pass.BOTH, true))
        .hasMessage(
            "checkpoint of another comparison: file="
                + file
                + " of=a | b; name another checkpoint");
    assertThatThrownBy(() -> open(Pass.FIRST, true))
        .as("the same tables, read otherwise")
        .hasMessageStartingWith("checkpoint of another comparison");
    Files.writeString(file, "{}");
    assertThatThrownBy(() -> open(Pass.BOTH, true))
        .hasMessage(
            "not a checkpoint of a comparison by this version: file="
                + file
                + "; name another checkpoint");
    Path newer = directory.resolve("newer.json");
    new ComparisonCheckpoint(
            ComparisonCheckpoint.FORMAT + 1, "a | b", Pass.BOTH, "", 0, 0, 0, List.of())
        .write(newer);
    assertThatThrownBy(() -> ComparisonCheckpoint.of(newer, "a | b", Pass.BOTH, true))
        .hasMessageStartingWith("not a checkpoint of a comparison by this version");
  }

  @Test
  void optionsAreChangedOneAtATimeAndChecked() {
    Scan scan = new Scan().addFamily(new byte[] {'f'});
    ComparisonOptions all =
        ComparisonOptions.DEFAULT
            .checkpoint(file, Duration.ofSeconds(3))
            .resume(true)
            .looks(4, Duration.ofSeconds(5))
            .most(6)
            .scan(scan)
            .sparingBusy();
    assertThat(all)
        .isEqualTo(
            new ComparisonOptions(
                file, true, Duration.ofSeconds(3), Duration.ofSeconds(5), 4, 6, scan, true));
    assertThatThrownBy(() -> all.looks(0, Duration.ZERO))
        .hasMessage("comparison out of range: pause=PT0S looks=0 most=6");
    assertThatThrownBy(() -> all.looks(1, Duration.ofMillis(-1)))
        .hasMessageStartingWith("comparison out of range: pause=PT-0.001S");
    assertThatThrownBy(() -> all.most(0)).hasMessageEndingWith(" most=0");
    assertThat(all.looks(1, Duration.ZERO).most(1).looks()).isEqualTo(1);
  }

  @Test
  void aResultIsTheSameOnlyIfAllWasReadAndNothingDiffers() {
    Difference busy = new Difference(Difference.Kind.BUSY, KEY, "key");
    assertThat(busy.isBusy()).isTrue();
    assertThat(new Difference(Difference.Kind.CELLS, KEY, "key").isBusy()).isFalse();
    assertThat(new ComparisonResult(1, 1, 1, 0, List.of(), true, 0).isSame()).isTrue();
    assertThat(new ComparisonResult(1, 1, 1, 0, List.of(), false, 0).isSame()).isFalse();
    assertThat(new ComparisonResult(1, 1, 1, 1, List.of(busy), true, 0).isSame()).isFalse();
  }
}
