/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.split.SplitAlgorithm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(EmbeddedHBaseExtension.class)
class AdviseCommandIT {
  @TempDir private Path directory;
  private String csv;
  private String queries;

  @Test
  void stepsArePlannedForAGrowthOfTheWrites() throws Exception {
    String byTime =
        Files.writeString(directory.resolve("by-time.txt"), "ts between ? and ?\n").toString();
    String[] arguments = {"advise", "--csv", csv, "--queries", byTime, "--growth", "2"};
    assertThat(Run.of(arguments).done().out())
        .containsPattern("growth +times 2.00 a year, for 3 years: salt\\(.* from ts 20");
    JsonNode growth =
        Run.of("advise", "--csv", csv, "--queries", byTime, "--growth", "2", "--json")
            .done()
            .json()
            .get("growth");
    assertThat(growth.get("steps")).hasSize(4);
    assertThat(growth.get("steps").get(1).get("field").asText()).isEqualTo("ts");
    arguments[6] = "0.5";
    assertThat(Run.of(arguments).exit()).isEqualTo(2);
  }

  @BeforeEach
  void write() throws IOException {
    SplittableRandom random = new SplittableRandom(11);
    StringBuilder lines = new StringBuilder("device,ts,temp\n");
    for (int i = 0; i < 5_000; i++) {
      // A few devices send much more than the others.
      int device = (int) (200 * Math.pow(random.nextDouble(), 2));
      lines.append(
          String.format(
              Locale.ROOT,
              "d%03d,%d,%d%n",
              device,
              1_700_000_000_000L + i * 500L,
              random.nextInt(40)));
    }
    csv = Files.writeString(directory.resolve("readings.csv"), lines).toString();
    queries =
        Files.writeString(
                directory.resolve("queries.txt"),
                """
                device = ? newest first limit 20      : weight 60
                device = ? and ts between ? and ?     : weight 20
                ts between ? and ?                    : weight 20
                writes 2000
                servers 3
                """)
            .toString();
  }

  @Tag("long")
  @Test
  void predictsWhatHBaseCounts() throws Exception {
    Path report = directory.resolve("report.html");
    Run run =
        Run.of(
            "advise",
            "--csv",
            csv,
            "--queries",
            queries,
            "--validate",
            "--report",
            report.toString(),
            "--json");
    assertThat(run.exit()).as(run.err()).isZero();
    JsonNode advice = run.json();

    assertThat(advice.get("records").asLong()).isEqualTo(5_000);
    JsonNode winner = advice.get("candidates").get(0);
    assertThat(winner.get("layout").asText()).contains("device:string + ts:timestamp desc");
    assertThat(winner.get("score").asDouble()).isBetween(50.0, 100.0);
    assertThat(winner.get("write_skew").get("mean").asDouble()).isBetween(1.0, 1.6);
    assertThat(winner.get("queries")).hasSize(3);
    assertThat(winner.get("queries").get(0).get("fan_out").asDouble()).isGreaterThanOrEqualTo(1);
    assertThat(winner.get("key_bytes").asDouble()).isBetween(12.0, 20.0);
    assertThat(winner.get("queries").get(0).get("bytes_read_per_row").asDouble())
        .isGreaterThan(100);
    assertThat(winner.get("seconds_to_first_split").asDouble()).isPositive();
    assertThat(winner.get("warnings").isArray()).isTrue();

    assertThat(advice.get("proposed").get("indexes")).isNotEmpty();
    assertThat(advice.get("validation").findValuesAsText("what"))
        .contains(
            "writes of by_ts",
            "skew of by_ts",
            "bytes of a key of by_ts",
            "Q3 entries of by_ts read",
            "Q1 choices of the client",
            "Q3 choices of the client");
    assertThat(advice.get("proposed").get("queries").get(2).get("call").asText())
        .isEqualTo("anyOrder()");
    assertThat(advice.get("validation").size()).isGreaterThanOrEqualTo(3);
    advice
        .get("validation")
        .forEach(
            layout ->
                assertThat(layout)
                    .isNotEmpty()
                    .allSatisfy(
                        line ->
                            assertThat(line.get("predicted").asDouble())
                                .isBetween(
                                    0.95 * line.get("counted").asDouble(),
                                    1.05 * line.get("counted").asDouble())));

    String html = Files.readString(report);
    assertThat(html)
        .contains(winner.get("layout").asText().replace("'", "&#39;"))
        .contains("<svg class=\"heat\"", "prefers-color-scheme: dark", "device = ? newest first")
        .doesNotContain("{{", "http://", "https://", "src=");
  }

  @Test
  void showsATableForPeople() {
    Run run = Run.of("advise", "--csv", csv, "--queries", queries, "--servers", "6");
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out())
        .contains(
            "device:string (",
            "ts:timestamp (5,000 values)",
            "Q1        device = ? newest first limit 20   (60 %)",
            "Advice    ",
            "6 servers",
            "Q1 by the table: the client chooses that by itself",
            "; the application has to call anyOrder()",
            "evenkey plan TABLE --layout");
  }

  @Test
  void drawsItsSampleFromALiveTableInTheOrderOfWriting(EmbeddedHBase hbase) throws Exception {
    String conf = hbase.configurationDirectory().toString();
    String layout = "salt(4) + device:string + ts:timestamp";
    assertThat(
            Run.of("plan", "advised", "--layout", layout, "--families", "d", "--conf", conf).exit())
        .isZero();
    assertThat(Run.of("create", "advised", "--conf", conf).exit()).isZero();
    // Written in time order: in key order the load would look even without a spread.
    try (SpreadTables tables = SpreadTables.on(hbase.connection())) {
      SpreadTable table = tables.open(TableName.valueOf("advised"));
      try (SpreadMutator writer = table.mutator()) {
        for (int i = 0; i < 20_000; i++) {
          long ts = 1_700_000_000_000L + i;
          byte[] key =
              table.layout().logicalKey(Values.of(Map.of("device", "d" + i % 50, "ts", ts)));
          writer.put(new Put(key, ts).addColumn(Bytes.toBytes("d"), Bytes.toBytes("temp"), key));
        }
      }
    }
    Path byTime = Files.writeString(directory.resolve("by-time.txt"), "ts between ? and ?\n");
    JsonNode advice =
        Run.of(
                "advise",
                "--table",
                "advised",
                "--sample",
                "0.5",
                "--queries",
                byTime.toString(),
                "--conf",
                conf,
                "--json")
            .json();
    assertThat(advice.get("records").asInt()).isBetween(9_400, 10_600);
    assertThat(advice.get("baseline").get("layout").asText()).startsWith("ts:timestamp");
    assertThat(advice.get("baseline").get("write_skew").get("mean").asDouble()).isGreaterThan(2.5);
  }

  @Test
  void adviceForATableKeepsTheBytesOfItsFieldsAndMigratesIt(EmbeddedHBase hbase) throws Exception {
    String conf = hbase.configurationDirectory().toString();
    TableName name = TableName.valueOf("hot");
    Layout layout = Layout.parse("ts:timestamp(long) + id:long");
    try (SpreadTables tables = SpreadTables.on(hbase.connection())) {
      SpreadTable table =
          tables.create(name, layout, SplitAlgorithm.UNIFORM.splits(2), List.of("d"));
      try (SpreadMutator writer = table.mutator()) {
        for (long i = 0; i < 5_000; i++) {
          byte[] key = Bytes.add(Bytes.toBytes(1_700_000_000_000L + i), Bytes.toBytes(i % 97));
          byte[] family = Bytes.toBytes("d");
          writer.put(
              new Put(key, i + 1)
                  .addColumn(family, Bytes.toBytes("a"), Bytes.toBytes("a" + i % 31))
                  .addColumn(family, Bytes.toBytes("b"), Bytes.toBytes("b" + i % 37)));
        }
      }
    }
    Path byRow =
        Files.writeString(directory.resolve("by-row.txt"), "ts between ? and ? limit 20\n");
    Run advised =
        Run.of("advise", "--table", "hot", "--queries", byRow.toString(), "--conf", conf).done();
    assertThat(advised.out())
        .containsPattern(
            "(?m)^next      evenkey migrate hot --layout 'salt\\(.*\\) \\+ ts:timestamp\\(long\\) \\+"
                + " id:long'$")
        .doesNotContain("int64", "evenkey plan TABLE");

    Path byColumns = Files.writeString(directory.resolve("by-columns.txt"), "a = ? and b = ?\n");
    advised =
        Run.of("advise", "--table", "hot", "--queries", byColumns.toString(), "--conf", conf)
            .done();
    assertThat(advised.out())
        .containsPattern("--change-key --from [ab]=FAMILY:QUALIFIER,[ab]=FAMILY:QUALIFIER(\n|$)");
  }

  @Tag("long")
  @Test
  void calibratesOnAClusterAndLeavesNoTableBehind(EmbeddedHBase hbase) throws Exception {
    String conf = hbase.configurationDirectory().toString();
    Run calibrated =
        Run.of("advise", "--csv", csv, "--queries", queries, "--calibrate", "--conf", conf);
    assertThat(calibrated.exit()).as(calibrated.err()).isZero();
    assertThat(calibrated.err())
        .containsPattern("a query [0-9.]+ ms, a request [0-9.]+ ms, a range [0-9.]+ ms, a row");
    try (Admin admin = hbase.connection().getAdmin()) {
      assertThat(admin.listTableNames())
          .noneMatch(name -> name.getNameAsString().startsWith("evenkey_calibration"));
    }
  }

  @Test
  void needsEitherATableOrAFileOfRecords() {
    assertThat(Run.of("advise", "--table", "advised", "--csv", csv, "--queries", queries).exit())
        .isEqualTo(2);
    assertThat(Run.of("advise", "--queries", queries).exit()).isEqualTo(2);
  }

  @Test
  void mistakesInQueriesAreShownWithTheirPlace() throws IOException {
    Path wrong = Files.writeString(directory.resolve("wrong.txt"), "devise = ?\n");
    Run run = Run.of("advise", "--csv", csv, "--queries", wrong.toString());
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .contains("unknown column 'devise'; did you mean 'device'?")
        .contains("^^^^^^");
    assertThat(Run.of("advise", "--csv", csv, "--queries", "nofile").exit()).isEqualTo(2);
    assertThat(Run.of("advise", "--csv", csv, "--queries", queries, "--write-weight", "2").exit())
        .isEqualTo(2);
  }
}
