/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InitCommandTest {
  private static final String READINGS = "device:string + ts:timestamp";
  private static final String NEWEST = "device = ? newest first limit 20 : weight 60";

  @TempDir private Path directory;

  private Path target() {
    return directory.resolve("readings");
  }

  private String csv() throws IOException {
    StringBuilder lines = new StringBuilder("device,ts,temp\n");
    for (int i = 0; i < 2_000; i++) {
      lines.append(
          String.format(Locale.ROOT, "d%02d,%d,%d%n", i % 40, 1_700_000_000_000L + i, i % 7));
    }
    return Files.writeString(directory.resolve("records.csv"), lines).toString();
  }

  private void areAccepted(String csv, JsonNode result) throws IOException {
    List<String> explain = new ArrayList<>(List.of("explain", result.get("layout").asText()));
    for (Map.Entry<String, JsonNode> field : result.get("example").properties()) {
      explain.addAll(List.of("--set", field.getKey() + "=" + field.getValue().asText()));
    }
    Run.of(explain.toArray(new String[0])).done();

    String queries = target().resolve("queries.txt").toString();
    Run.of("advise", "--csv", csv, "--queries", queries, "--json").done();

    JsonNode plan =
        new ObjectMapper()
            .readTree(target().resolve("plan.json").toFile())
            .get("plans")
            .get("readings");
    assertThat(plan.get("layout")).isEqualTo(result.get("layout"));
    assertThat(plan.get("regions").asInt()).isPositive();
    CompiledSample.in(target());
  }

  @Test
  void optionsGiveALayoutWithWhatTheMainQueryFixesInFront() throws IOException {
    JsonNode result =
        Run.of(
                "init",
                target().toString(),
                "--record",
                "ts:timestamp + device:string",
                "--query",
                "ts between ? and ? : weight 10",
                "--query",
                NEWEST,
                "--servers",
                "6",
                "--json")
            .done()
            .json();

    assertThat(result.get("layout").asText())
        .isEqualTo("salt(12, device) + device:string + ts:timestamp desc");
    assertThat(result.get("table").asText()).isEqualTo("readings");
    areAccepted(csv(), result);
    assertThat(Files.readString(target().resolve("ReadingsSample.java")))
        .contains(".where(\"device = 'device1'\").limit(20)");
  }

  @Test
  void theRecordsOfAFileAreMeasured() throws IOException {
    String csv = csv();
    JsonNode result =
        Run.of("init", target().toString(), "--from", csv, "--query", NEWEST, "--json")
            .done()
            .json();

    assertThat(result.get("layout").asText()).contains("device:string + ts:timestamp desc");
    assertThat(result.get("example").get("device").asText()).isEqualTo("d00");
    areAccepted(csv, result);
  }

  @Test
  void aFirstLineThatLooksLikeARecordIsWarnedOf() throws IOException {
    Path file = directory.resolve("plain.csv");
    Files.writeString(file, Files.readString(Path.of(csv())).replaceFirst("device,ts,temp\n", ""));
    String query = "c1 = ? newest first limit 20";

    Run run = Run.of("init", target().toString(), "--from", file.toString(), "--query", query);
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .contains(
            "warning: first line is read as the header, and looks like a record: file=" + file,
            " columns=d00, 1700000000000, 0; ",
            "unknown column 'c1'");

    run =
        Run.of(
                "init",
                target().toString(),
                "--from",
                file.toString(),
                "--no-header",
                "--query",
                query)
            .done();
    assertThat(run.err()).doesNotContain("warning");
    assertThat(run.out()).contains("c1:string + c2:timestamp desc");
  }

  @Test
  void noFigureIsShownOfAFewRecords() throws IOException {
    Path file = directory.resolve("one.csv");
    Files.writeString(file, "device,ts\nd1,1700000000000\n");
    Path queries = directory.resolve("queries");
    Files.writeString(queries, "device = ? newest first limit 20\n");

    String advice =
        Run.of("advise", "--csv", file.toString(), "--queries", queries.toString()).done().out();
    assertThat(advice)
        .contains("of 1 record chance decides where they go")
        .doesNotContain("as even as they get", "Equally good");
    assertThat(
            Run.of("init", target().toString(), "--from", file.toString(), "--query", NEWEST)
                .done()
                .out())
        .contains("note: of 1 record chance decides where they go");
  }

  @Test
  void theNextCommandQuotesNamesWithQuotes() throws IOException {
    Path file = directory.resolve("quotes.csv");
    Files.writeString(file, Files.readString(Path.of(csv())).replaceFirst("device", "it's"));
    Path queries = directory.resolve("queries");
    Files.writeString(queries, "`it's` = ? newest first limit 20\n");

    assertThat(
            Run.of("advise", "--csv", file.toString(), "--queries", queries.toString())
                .done()
                .out())
        .contains("--layout '`it'\\''s`:string + ts:timestamp desc' --families d");
  }

  @Test
  void aTextThatNoKeyCanHaveIsRejectedIfAQueryNamesItsColumn() throws IOException {
    Path file = directory.resolve("half.ndjson");
    Files.writeString(
        file,
        """
        {"device":"d1","ts":1700000000000,"note":"\\ud83d"}
        {"device":"\\ud83d","ts":1700000001000,"note":"x"}
        """);

    Run run = Run.of("init", target().toString(), "--from", file.toString(), "--query", NEWEST);

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .contains("half a surrogate pair", "\\ud83d", "line=2 column=device")
        .doesNotContain("column=note");
    assertThat(target()).doesNotExist();
  }

  @Test
  void aFileWithAnotherSeparatorIsReadAndTheImportFollows() throws IOException {
    String csv = csv();
    Path other = directory.resolve("other.csv");
    Files.writeString(other, Files.readString(Path.of(csv)).replace(',', ';'));

    Run run =
        Run.of("init", target().toString(), "--from", other.toString(), "--query", NEWEST).done();

    assertThat(run.out())
        .contains("device:string + ts:timestamp desc")
        .containsPattern(
            "evenkey create readings\\R *evenkey import readings --csv \\S*other.csv\\R")
        .as("it has just been measured")
        .doesNotContain("evenkey advise");
    assertThat(
            Run.of("init", target().toString(), "--force", "--from", csv, "--query", NEWEST)
                .done()
                .out())
        .doesNotContain("warning");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id:uuid | id = ? | salt(6) + id:uuid",
        "host:string + page:int64 | host under ? | salt(6) + reverse_domain(host:string) + page:int64",
        "day:date + n:digits(6) | day >= ? oldest first | salt(6) + day:date + n:digits(6)",
        "a:bytes(3) + b:decimal + c:bool | c = ? and b in (1, 2) | salt(6, c, b) + c:bool + b:decimal + a:bytes(3)",
        "t:timestamp(\"yyyyMMddHHmmss\") + u:uint64 | u = ? newest first | salt(6, u) + u:uint64 + t:timestamp(\"yyyyMMddHHmmss\") desc",
        "a:float32 + b:float64 + c:hex(4) + d:string(3) | all | salt(6) + a:float32 + b:float64 + c:hex(4) + d:string(3)"
      })
  void sampleOfEachTypeCompiles(String fields, String query, String layout) throws IOException {
    JsonNode result =
        Run.of("init", target().toString(), "--record", fields, "--query", query, "--json")
            .done()
            .json();

    assertThat(result.get("layout").asText()).isEqualTo(layout);
    CompiledSample.in(target());
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan.json", "queries.txt", "ReadingsSample.java"})
  void aFileThatExistsIsKeptUnlessForced(String name) throws IOException {
    Files.createDirectories(target());
    Path file = Files.writeString(target().resolve(name), "mine");
    String[] arguments = {"init", target().toString(), "--record", READINGS, "--query", NEWEST};

    Run refused = Run.of(arguments);
    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.err()).contains("file exists: path=" + file).doesNotContain("\tat ");
    try (var files = Files.list(target())) {
      assertThat(files).containsExactly(file);
    }

    List<String> forced = new ArrayList<>(List.of(arguments));
    forced.add("--force");
    Run.of(forced.toArray(new String[0])).done();
    assertThat(file).content().isNotEqualTo("mine");
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsRefused() throws IOException {
    Path file = Files.writeString(target(), "mine");

    Run run = Run.of("init", file.toString(), "--record", READINGS, "--query", NEWEST);

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("not a directory: path=" + file);
    assertThat(file).hasContent("mine");
  }

  @Test
  void withoutATerminalTheMissingOptionsAreNamed() {
    Run none = Run.of("init", target().toString());
    Run half = Run.of("init", target().toString(), "--record", READINGS);

    assertThat(none.exit()).isEqualTo(2);
    assertThat(none.err()).contains("missing=--record|--from,--query; give these options");
    assertThat(half.err()).contains("missing=--query; give these options");
    assertThat(target()).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--record | salt(3) + a:string | --query | a = ? | a spread among the fields of a record",
        "--record | a:text | --query | a = ? | text",
        "--record | a:string | --query | b = ? | column",
        "--record | a:string | --query | writes 5 | no query"
      })
  void whatCannotBeReadIsRefused(String a, String b, String c, String d, String problem) {
    Run run = Run.of("init", target().toString(), a, b, c, d);

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains(problem).doesNotContain("\tat ", "Exception");
    assertThat(target()).doesNotExist();
  }

  private Run answered(String answers) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(answers.getBytes(StandardCharsets.UTF_8)));
    System.setProperty("evenkey.input", "true");
    System.setProperty("evenkey.columns", "80");
    try {
      return Run.of("init", target().toString());
    } finally {
      System.setIn(before);
      System.clearProperty("evenkey.input");
      System.clearProperty("evenkey.columns");
    }
  }

  @Test
  void questionsAreAskedUntilTheAnswerCanBeUsed() throws IOException {
    Run run =
        answered(
            "device:strin + ts:timestamp\n"
                + READINGS
                + "\nvehicle = ?\n"
                + NEWEST
                + "\n\nmany\n5000\n2e9\n\n");

    run.done();
    assertThat(run.err())
        .contains("What identifies a record?", "string", "vehicle", "not a number");
    assertThat(run.out()).contains("salt(6, device) + device:string + ts:timestamp desc");
    assertThat(target().resolve("queries.txt"))
        .content()
        .contains(NEWEST, "writes 5000\n", "rows 2000000000\n", "servers 3\n");
  }

  @Test
  void theEndOfTheInputWritesNothing() {
    Run run = answered(READINGS + "\n");

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("input ended before an answer").doesNotContain("\tat ");
    assertThat(target()).doesNotExist();
  }
}
