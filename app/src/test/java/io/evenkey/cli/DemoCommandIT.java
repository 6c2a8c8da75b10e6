/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCommandIT {
  @TempDir private Path directory;

  /** Events of a growing time, two of which share their time and user. */
  private Path events(int count) throws IOException {
    StringBuilder csv = new StringBuilder("ts,user,note\n");
    for (int i = 0; i < count; i++) {
      csv.append(1_700_000_000_000L + 1000L * i).append(",u").append(i % 97);
      csv.append(i % 3 == 0 ? "," : ",\"text, " + i + '"').append('\n');
    }
    csv.append("1700000000000,u0,again\n");
    return Files.writeString(directory.resolve("events.csv"), csv);
  }

  @Test
  void showsAGrowingKeyAsHotAndASpreadOneAsEven() throws Exception {
    Run run =
        Run.of(
            "demo",
            "--csv",
            events(12_000).toString(),
            "--layout",
            "salt(12) + ts:timestamp + user:string",
            "--json");
    assertThat(run.exit()).as(run.err()).isZero();
    JsonNode json = run.json();
    assertThat(json.get("records").asInt()).isEqualTo(12_001);
    assertThat(json.get("servers").asInt()).isEqualTo(3);
    assertThat(json.get("regions").asInt()).isEqualTo(12);
    assertThat(json.get("naive").get("layout").asText()).isEqualTo("ts:timestamp + user:string");
    assertThat(json.at("/naive/write_skew/mean").asDouble()).isBetween(2.5, 3.0);
    assertThat(json.at("/spread/write_skew/mean").asDouble()).isBetween(1.0, 1.15);
    assertThat(json.get("naive").get("region_skew").asDouble()).isGreaterThan(9);
    assertThat(json.get("order_identical").asBoolean()).isTrue();
    assertThat(json.get("spread").get("ordered_by").asText()).isEqualTo("merge");
    assertThat(json.get("distinct_keys").asInt()).isEqualTo(12_000);
    assertThat(json.get("collisions").get("records").asInt()).isEqualTo(1);
    assertThat(json.get("collisions").get("examples").get(0).asText())
        .isEqualTo("ts=1700000000000 user=u0 on lines 2, 12002");
    assertThat(json.get("collisions").get("proposal").asText()).endsWith("+ note:string");
  }

  @Test
  void printsTheComparisonAndTheNextCommands() throws Exception {
    Run run =
        Run.of("demo", "--csv", events(3000).toString(), "--key", "ts,user", "--servers", "2");
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("NAIVE", "SPREAD", "server   1", "Try next:", "yes       yes")
        .contains("FAULT OF THE LAYOUT: 1 of 3,001 records")
        .contains("skew over servers, per window");
    assertThat(run.out().lines()).allMatch(line -> line.length() <= 80 || line.contains(" + "));
    assertThat(run.err()).contains("load naive: 3,001 of 3,001 rows", "read spread: 3,000");
    assertThat(run.out())
        .contains(
            "--set ts=1700000000000 --set user=u0", "--query 'user = ? newest first limit 20'")
        .doesNotContain("rows/s");
    String readme = Files.readString(Path.of("..", "README.md"));
    int begin = readme.indexOf("```\n…\nNAIVE") + "```\n".length();
    // But for figures, and the lines that are left out at "…".
    String shown = readme.substring(begin, readme.indexOf("```", begin));
    assertShownIn(words(run.out().lines()), words(shown.lines()));
  }

  /** Lines without figures, strips and layouts; of equal ones in a row, one. */
  private static List<String> words(Stream<String> lines) {
    List<String> words = new ArrayList<>();
    for (String line : lines.toList()) {
      String plain =
          line.replaceAll("│.*", "│")
              .replaceAll("^(NAIVE|SPREAD) .*", "$1")
              .replaceAll("[0-9][0-9.,]*", "#")
              .replaceAll(" +", " ");
      if (words.isEmpty() || !words.get(words.size() - 1).equals(plain)) {
        words.add(plain);
      }
    }
    return words;
  }

  private static void assertShownIn(List<String> printed, List<String> shown) {
    int at = 0;
    boolean cut = false;
    for (String line : shown) {
      if (line.strip().equals("…")) {
        cut = true;
        continue;
      }
      int found = printed.subList(at, printed.size()).indexOf(line);
      assertThat(found).as("\"%s\" in %s", line, printed).isGreaterThanOrEqualTo(0);
      assertThat(found == 0 || cut).as("line before \"%s\" is left out without …", line).isTrue();
      at += found + 1;
      cut = false;
    }
    assertThat(cut || at == printed.size()).as("the rest is left out without …").isTrue();
  }

  @Tag("long")
  @Test
  void aLayoutWithoutAnOrderIsSortedAndSaysSo() throws Exception {
    Run run =
        Run.of(
            "demo",
            "--csv",
            events(1000).toString(),
            "--layout",
            "md5(user, ts)[0..8] + user:string + ts:int64",
            "--json");
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.json().get("spread").get("ordered_by").asText()).isEqualTo("sort");
    assertThat(run.json().get("order_identical").asBoolean()).isTrue();
  }
}
