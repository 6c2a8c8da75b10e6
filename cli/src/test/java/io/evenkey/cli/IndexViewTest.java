/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.jobs.index.IndexDifference;
import io.evenkey.jobs.index.IndexReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each kind of difference is shown with its number and with what removes it. */
class IndexViewTest {
  private static final IndexWork.DifferenceCounts FOUND =
      new IndexWork.DifferenceCounts(1, 2, 3, 4, 11, 6, 7);

  private static String shown(IndexWork.DifferenceCounts found, long added, boolean json) {
    IndexReport report =
        new IndexReport(
            300,
            310,
            found,
            added,
            0,
            0,
            List.of(new IndexDifference(IndexDifference.Kind.UNFIT, "id=5: too long")));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
    new IndexView(new Console(print, print, 0), "by_customer", json).show(report);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void eachKindIsALineWithItsRemedy() {
    assertThat(shown(FOUND, 0, false))
        .contains("300 rows, 8 without their entry; 310 entries read, 11 without their row")
        .containsPattern(
            "missing +1 +rows have no entry: .*; a repair \\(--repair\\) adds their entries")
        .containsPattern(
            "covered +2 +settled entries .*; a repair \\(--repair\\) makes readers fetch the rows")
        .containsPattern("unfit +3 +rows have values .*; write them again with values that fit")
        .containsPattern("secured +4 +rows have cells with their own labels .*; write them again")
        .containsPattern("stale +5 +entries have no row")
        .containsPattern("phantom +6 +settled entries have no row")
        .containsPattern("unreadable +7 +rows of the index's table are not entries")
        .containsPattern("unfit +id=5: too long");
    assertThat(shown(new IndexWork.DifferenceCounts(1, 0, 0, 0, 0, 0, 0), 1, false))
        .contains("repaired: 1 entry added, 0 removed")
        .containsPattern("missing +1 +rows have no entry: .*; repaired")
        .doesNotContain("--repair");
  }

  @Test
  void eachKindIsANumberOfTheDocument() throws IOException {
    JsonNode report = new ObjectMapper().readTree(shown(FOUND, 0, true));
    assertThat(report.get("missing").asInt()).isEqualTo(1);
    assertThat(report.get("covered").asInt()).isEqualTo(2);
    assertThat(report.get("unfit").asInt()).isEqualTo(3);
    assertThat(report.get("secured").asInt()).isEqualTo(4);
    assertThat(report.get("stale").asInt()).isEqualTo(11);
    assertThat(report.get("phantoms").asInt()).isEqualTo(6);
    assertThat(report.get("unreadable").asInt()).isEqualTo(7);
    assertThat(report.get("complete").asBoolean()).isFalse();
  }

  @Test
  void listsNameTheKindsThatThereAre() {
    assertThat(IndexView.found(FOUND, true))
        .isEqualTo(
            "1 missing, 2 covered, 3 unfit, 4 secured, 11 stale before the sweep, 7 unreadable");
    assertThat(IndexView.found(new IndexWork.DifferenceCounts(0, 0, 0, 0, 2, 0, 0), false))
        .isEqualTo("0 missing, 2 stale");
  }
}
