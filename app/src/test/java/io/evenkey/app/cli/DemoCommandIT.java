/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    assertThat(json.get("naive").get("server_skew").asDouble()).isBetween(2.5, 3.0);
    assertThat(json.get("spread").get("server_skew").asDouble()).isBetween(1.0, 1.15);
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
