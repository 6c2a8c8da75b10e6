/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class CommandLineTest {
  private static final String MESSAGES =
      "md5(message_id):HEX + \":\" + send_date:digits(6) + \":\" + send_time:digits(6) + \":\""
          + " + message_id:digits";
  private static final String DEVICES = "salt(16, device) + device:string + ts:timestamp desc";

  @Test
  void explainGivesTheBytesPartByPart() throws Exception {
    Run run =
        Run.of(
            "explain",
            MESSAGES,
            "--set",
            "message_id=1231231",
            "--set",
            "send_date=230611",
            "--set",
            "send_time=063031",
            "--json");
    assertThat(run.exit()).isZero();
    assertThat(run.err()).isEmpty();
    JsonNode json = run.json();
    assertThat(json.get("layout").asText()).isEqualTo(MESSAGES);
    assertThat(fromHex(json.get("physical_hex").asText()))
        .isEqualTo("8D4646EB2D7067126EB08ADB0672F7BB:230611:063031:1231231");
    assertThat(fromHex(json.get("logical_hex").asText())).isEqualTo("230611:063031:1231231");
    assertThat(json.get("length").asInt()).isEqualTo(54);
    assertThat(json.get("bucket").isNull()).isTrue();
    StringBuilder joined = new StringBuilder();
    json.get("parts").forEach(part -> joined.append(part.get("hex").asText()));
    assertThat(joined).hasToString(json.get("physical_hex").asText());
    assertThat(json.get("parts").get(0).get("part").asText()).isEqualTo("md5(message_id):HEX");
    assertThat(json.get("warnings").isArray()).isTrue();
  }

  private static String fromHex(String hex) {
    return new String(HexFormat.of().parseHex(hex), StandardCharsets.US_ASCII);
  }

  @Test
  void explainWarnsOfAKeyThatGrows() throws Exception {
    Run run = Run.of("explain", "ts:timestamp", "--set", "ts=1", "--json");
    assertThat(run.json().get("warnings").get(0).asText()).contains("one region at a time");
    assertThat(Run.of("explain", DEVICES).out()).contains("buckets  16").doesNotContain("warning");
  }

  @Test
  void decodeGivesTheFieldsBack() throws Exception {
    JsonNode row =
        Run.of("explain", DEVICES, "--set", "device=d1", "--set", "ts=1700000000000", "--json")
            .json();
    Run run = Run.of("decode", DEVICES, row.get("physical_hex").asText(), "--json");
    assertThat(run.json()).hasToString("{\"fields\":{\"device\":\"d1\",\"ts\":1700000000000}}");
    assertThat(Run.of("decode", DEVICES, row.get("physical_hex").asText()).out())
        .isEqualTo(String.format("device  d1%nts      2023-11-14T22:13:20Z%n"));
  }

  @Test
  void decodeTakesARowAsTheShellOfHBasePrintsIt() throws Exception {
    String layout = "s:string + n:uint8";
    String fields = "{\"fields\":{\"s\":\"d1\",\"n\":65}}";
    for (String row : new String[] {"64310041", "0x64310041", "d1\\x00A", "\"d1\\x00A\""}) {
      assertThat(Run.of("decode", layout, row, "--json").json()).as(row).hasToString(fields);
    }
    assertThat(Run.of("decode", layout, "d1\\n").err()).contains("not a row: ROW=d1\\n");
    assertThat(Run.of("decode", layout, "d1\\x0").exit()).isEqualTo(2);
  }

  @Test
  void rangesCollapseToTheBucketOfAFixedDevice() throws Exception {
    JsonNode one =
        Run.of("ranges", DEVICES, "--where", "device = 'd1' and ts >= 5 and ts < 9", "--json")
            .json();
    assertThat(one.get("fan_out").asInt()).isEqualTo(1);
    assertThat(one.get("ranges").get(0).get("start_hex").asText()).endsWith("7ffffffffffffff7");
    assertThat(one.get("ranges").get(0).get("stop_hex").asText()).endsWith("7ffffffffffffffb");
    JsonNode all = Run.of("ranges", DEVICES, "--where", "device >= 'd1'", "--json").json();
    assertThat(all.get("fan_out").asInt()).isEqualTo(16);
    assertThat(all.get("ranges")).hasSize(16);
  }

  @Test
  void explainAndDecodeSayTheStepOfAKey() throws Exception {
    String layout = "salt(16; 48 from ts 2027-01-01) + ts:timestamp + id:int64";
    String before = "{\"buckets\":16,\"field\":\"ts\",\"from\":null}";
    String from = "{\"buckets\":48,\"field\":\"ts\",\"from\":\"2027-01-01\"}";
    assertThat(Run.of("explain", layout).out())
        .contains("buckets  48")
        .contains("step     16 buckets before ts 2027-01-01")
        .contains("step     48 buckets from ts 2027-01-01");
    assertThat(Run.of("explain", layout, "--json").json().get("steps"))
        .hasToString("[" + before + "," + from + "]");
    String[] explain = {"explain", layout, "--set", "ts=2027-06-01", "--set", "id=7"};
    assertThat(Run.of(explain).out())
        .contains(" of 48")
        .contains("step      48 buckets from ts 2027-01-01");
    assertThat(Run.of("explain", layout, "--set", "ts=2026-06-01", "--set", "id=7").out())
        .contains(" of 16")
        .contains("step      16 buckets before ts 2027-01-01");
    JsonNode row =
        Run.of("explain", layout, "--set", "ts=2027-06-01", "--set", "id=7", "--json").json();
    assertThat(row.get("step")).hasToString(from);
    String hex = row.get("physical_hex").asText();
    assertThat(Run.of("decode", layout, hex, "--json").json())
        .hasToString("{\"fields\":{\"ts\":1811808000000,\"id\":7},\"step\":" + from + "}");
    assertThat(Run.of("decode", layout, hex).out())
        .endsWith(String.format("step: 48 buckets from ts 2027-01-01%n"));
  }

  @Test
  void rangesSayTheStepsThatTheyTouch() throws Exception {
    String layout = "salt(16; 48 from ts 2027-01-01, 96 from ts 2028-01-01) + ts:timestamp";
    Run one = Run.of("ranges", layout, "--where", "ts >= 2027-03-01 and ts < 2027-04-01");
    assertThat(one.out())
        .contains("fan-out  48")
        .contains("step     48 buckets from ts 2027-01-01 to before 2028-01-01")
        .doesNotContain("16 buckets", "96 buckets");
    JsonNode two = Run.of("ranges", layout, "--where", "ts < 2027-04-01", "--json").json();
    assertThat(two.get("fan_out").asInt()).isEqualTo(48);
    assertThat(two.get("steps")).hasSize(2);
    assertThat(Run.of("ranges", DEVICES, "--where", "ts > 5", "--json").json().has("steps"))
        .isFalse();
  }

  @Test
  void anInvalidStepIsShownWithACaret() {
    Run run = Run.of("explain", "salt(16; 48 from ts 2027-13-01) + ts:timestamp");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("evenkey: layout: not a time: field=ts value=\"2027-13-01\"")
        .contains("                   ^^^^^^^^^^")
        .doesNotContain("\tat ");
  }

  @Test
  void splitsFallBetweenBuckets() throws Exception {
    JsonNode json = Run.of("splits", DEVICES, "--regions", "4", "--json").json();
    assertThat(json)
        .hasToString(
            "{\"algorithm\":\"bucket\",\"regions\":4,\"splits_hex\":[\"04\",\"08\",\"0c\"]}");
    assertThat(
            Run.of("splits", "s:string", "--regions", "3", "--algorithm", "hex", "--json")
                .json()
                .get("splits_hex"))
        .hasToString("[\"3535353535353535\",\"6161616161616161\"]");
  }

  @Test
  void datesThatDoNotSortAreWarnedOfWhereTheKeyOrdersByThem(@TempDir Path directory)
      throws Exception {
    String csv =
        Files.writeString(directory.resolve("days.csv"), "day,shop\n31/01/2026,a\n01/02/2026,b\n")
            .toString();
    String[] splits = {"splits", "shop:string + day:string", "--regions", "2", "--csv", csv};
    assertThat(Run.of(splits).done().err())
        .isEqualTo(
            "warning: times whose text does not sort by time, by which the key orders its rows:"
                + " column=day value=\"31/01/2026\"; the day is first; write them in ISO 8601,"
                + " this one as 2026-01-31\n");
    splits[1] = "shop:string";
    assertThat(Run.of(splits).done().err()).isEmpty();
  }

  @Test
  void samplesAreReadInTheUnitOfTheirTimes(@TempDir Path directory) throws Exception {
    Path csv = Files.writeString(directory.resolve("times.csv"), "ts\n1700000000\n1800000000\n");
    String[] splits = {"splits", "ts:timestamp", "--regions", "2", "--csv", csv.toString()};
    Run odd = Run.of(splits).done();
    assertThat(odd.err())
        .contains("warning: times that are hardly", "name their unit (--time-unit): unit=s");
    List<String> inSeconds = new ArrayList<>(List.of(splits));
    inSeconds.addAll(List.of("--time-unit", "s", "--json"));
    Run seconds = Run.of(inSeconds.toArray(String[]::new)).done();
    assertThat(seconds.err()).isEmpty();
    // The first bytes of 2027-01-15T08:00:00Z, with the sign bit inverted, that tell it apart.
    assertThat(seconds.json().get("splits_hex")).hasToString("[\"800001a3\"]");
  }

  @Test
  void timesOfArgumentsAreWarnedOf() {
    assertThat(Run.of("explain", "ts:timestamp", "--set", "ts=20260131").done().out())
        .contains("value=20260131 time=1970-01-01T05:37:40.131Z; write 2026-01-31T00:00:00Z");
    assertThat(Run.of("ranges", "ts:timestamp", "--where", "ts < 20260131").done().err())
        .contains("value=20260131 time=1970-01-01T05:37:40.131Z; write 2026-01-31T00:00:00Z");
  }

  @Test
  void moreRegionsThanBucketsCutEachBucketAtQuantiles(@TempDir Path directory) throws Exception {
    Path csv = directory.resolve("readings.csv");
    StringBuilder records = new StringBuilder("device,ts\n");
    for (int i = 0; i < 40_000; i++) {
      records.append("d").append(i % 97).append(',').append(i).append('\n');
    }
    Files.writeString(csv, records);
    JsonNode json =
        Run.of(
                "splits",
                "salt(4) + device:string + ts:timestamp",
                "--regions",
                "12",
                "--algorithm",
                "bucket",
                "--csv",
                csv.toString(),
                "--json")
            .json();
    List<String> keys = new ArrayList<>();
    json.get("splits_hex").forEach(key -> keys.add(key.asText()));
    assertThat(keys).hasSize(11).isSorted().contains("01", "02", "03");
    for (String bucket : List.of("00", "01", "02", "03")) {
      assertThat(keys.stream().filter(key -> key.startsWith(bucket) && key.length() > 2))
          .hasSize(2);
    }
    assertThat(json.get("sample").get("rows").asInt()).isEqualTo(40_000);
    assertThat(json.get("sample").get("error").asDouble()).isBetween(1e-6, 0.01);
  }

  @Test
  void recordsOfOneKeyUnderARandomSaltAreNotCompared(@TempDir Path directory) throws Exception {
    Path csv = Files.writeString(directory.resolve("a.csv"), "id,v\n1,x\n2,y\n1,z\n");
    Run run = Run.of("demo", "--csv", csv.toString(), "--layout", "salt(3, random) + id:int64");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("1 of 3 records have the key of another", "salt(3, random)");
  }

  @Test
  void sizeShowsEveryRuleAndWhereTheyDisagree() throws Exception {
    assertThat(Run.of("size", "--gb", "30", "--scan-heavy", "--json").json().get("regions").asInt())
        .isEqualTo(5);
    assertThat(
            Run.of("size", "--gb", "30", "--write-heavy", "--json").json().get("regions").asInt())
        .isEqualTo(10);
    JsonNode large = Run.of("size", "--gb", "9000", "--json").json();
    assertThat(large.get("regions").asInt()).isEqualTo(120);
    assertThat(large.get("conflicts")).isNotEmpty();
    assertThat(Run.of("size", "--gb", "9000").out())
        .contains("size / 10 GB, at most 120", "6 to 8 GB a region", "rules disagree");
  }

  @Test
  void valuesThatJsonHasNotComeBackAsText() throws Exception {
    String layout = "d:date + f:float64 + b:bytes(2) + t:decimal";
    JsonNode row =
        Run.of(
                "explain",
                layout,
                "--set",
                "d=2026-01-31",
                "--set",
                "f=NaN",
                "--set",
                "b=00ff",
                "--set",
                "t=1.50",
                "--json")
            .json();
    assertThat(Run.of("decode", layout, row.get("physical_hex").asText(), "--json").json())
        .hasToString("{\"fields\":{\"d\":\"2026-01-31\",\"f\":\"NaN\",\"b\":\"00ff\",\"t\":1.5}}");
    assertThat(Run.of("decode", "phoenix_salt(0) + a:string + b:int32", "61", "--json").json())
        .hasToString("{\"fields\":{\"a\":\"a\",\"b\":null}}");
  }

  @Test
  void aLayoutWithAMistakeIsShownWithACaretAndNoTrace() {
    Run run = Run.of("explain", "device:strng");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("evenkey: layout: unknown field type 'strng'; did you mean 'string'?")
        .contains("         ^^^^^")
        .doesNotContain("\tat ");
    assertThat(Run.of("explain", "device:strng", "--verbose").err()).contains("\tat ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "explain|s:string|--set|t=1",
        "explain|s:string + n:int64|--set|s=1",
        "explain|n:int64|--set|n=x",
        "decode|n:int64|80",
        "decode|n:int64|xyz",
        "decode|n:int64",
        "ranges|n:int64",
        "ranges|n:int64|--where|m = 1",
        "splits|n:int64|--regions|3",
        "splits|n:int64|--regions|3|--algorithm|sample",
        "splits|salt(4) + n:int64|--regions|many",
        "size",
        "size|--gb|0",
        "size|--gb|-5",
        "size|--gb|NaN",
        "size|--gb|lots",
        "size|--gb|5|--scan-heavy|--write-heavy",
        "size|--gb|5|--servers|-1",
        "splits|salt(4) + n:int64|--regions|3|--csv|no-such-file.csv",
        "demo|--servers|0",
        "demo|--layout|n:int64|--key|n",
        "demo|--csv|no-such-file.csv",
        "scan|readings|--format|parquet",
        "scan|readings|--quorum|",
        "explain|s:string|--set|s=caf\ufffd",
        "dev|--servers|1000",
        "demol",
        "explain|--nope"
      })
  void wrongArgumentsAreReportedInOneLineWithExitCodeTwo(String arguments) {
    Run run = Run.of(arguments.split("\\|", -1));
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("evenkey: ").doesNotContain("\tat ");
    assertThat(run.err().lines().findFirst().orElse("")).hasSizeGreaterThan(20);
  }

  @Test
  void proseOfTheHelpIsBrokenWhereALineIsFull() {
    List<String> broken = new ArrayList<>();
    for (CommandSpec command : all(Evenkey.documented())) {
      for (ArgSpec argument : command.args()) {
        if (argument.description().length > 1) {
          broken.add(command.qualifiedName() + " " + argument.paramLabel());
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  private static List<CommandSpec> all(CommandSpec root) {
    List<CommandSpec> all = new ArrayList<>(List.of(root));
    root.subcommands().values().forEach(sub -> all.addAll(all(sub.getCommandSpec())));
    return all;
  }

  @Test
  void aSlipInAnOptionOrACommandIsAnsweredWithTheOneThatIsMeant() {
    assertThat(Run.of("scan", "t", "--limmit", "5").err())
        .isEqualTo(
            "evenkey: unknown option: --limmit; did you mean --limit? 'evenkey scan --help' shows"
                + " its arguments\n");
    assertThat(Run.of("migrate", "t", "--rolback").err()).contains("did you mean --rollback?");
    assertThat(Run.of("scan", "t", "--wehre=x = 1").err()).contains("did you mean --where?");
    assertThat(Run.of("scna", "t").err()).contains("did you mean scan?");
    assertThat(Run.of("index", "lst", "t").err()).contains("did you mean list?");
  }

  @Test
  void completionAsksForNamesWhereTheyCanStand() {
    CommandLine root = Evenkey.documented().commandLine();
    NameCompletion index =
        NameCompletion.of(root, "evenkey index show --conf c -D a=b --quorum=zk:2181 orders by_");
    assertThat(index.command().getCommandName()).isEqualTo("show");
    assertThat(index.positionals()).containsExactly("orders");
    assertThat(index.options()).containsExactly("--conf", "c", "-D", "a=b", "--quorum=zk:2181");
    assertThat(index.word()).isEqualTo("by_");
    assertThat(NameCompletion.of(root, "evenkey explain ").names()).isEmpty();
    assertThat(Run.of("completion").out()).contains("positionals=\"$(_evenkey_names)\"");
  }

  @ParameterizedTest
  @CsvSource({"bash,orders", "zsh,shop:orders"})
  void namesWithAColonAreCompleted(String shell, String completed, @TempDir Path directory)
      throws Exception {
    assumeThat(Path.of("/usr/bin", shell)).as("a shell of this machine").exists();
    Path script = Files.writeString(directory.resolve("s"), Run.of("completion").out());
    String asked =
        "if [ -n \"${ZSH_VERSION-}\" ]; then autoload -U compinit; compinit -u -D; fi; . "
            + script
            + "; evenkey() { echo shop:orders; }; [ -z \"${ZSH_VERSION-}\" ] || setopt ksharrays;"
            + " COMP_WORDS=(evenkey); COMP_LINE='evenkey heat shop:o'; _evenkey_names";
    Process process =
        new ProcessBuilder(shell, shell.equals("zsh") ? "-fc" : "-c", asked)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip())
        .isEqualTo(completed);
  }

  /** The shell's completion keeps the values of an option under its label. */
  @Test
  void optionsOfOneCommandWithOtherValuesHaveOtherLabels() {
    Deque<CommandSpec> commands = new ArrayDeque<>(List.of(Evenkey.documented()));
    while (!commands.isEmpty()) {
      CommandSpec command = commands.pop();
      command.subcommands().values().forEach(one -> commands.push(one.getCommandSpec()));
      assertThat(command.options().stream().filter(one -> one.completionCandidates() != null))
          .as(command.qualifiedName())
          .extracting(OptionSpec::paramLabel)
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void aCommandOfTheSourcesSaysWhereItIs() {
    Run run = Run.of("bench", "scan", "--buckets", "16");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .startsWith(
            "evenkey: command of Evenkey's sources, not of this archive: command=bench; get a"
                + " checkout, then: ./evenkey bench");
    assertThat(Run.of("cluster", "--help").out()).contains("./evenkey cluster --help");
  }

  @Test
  void anUnknownCommandIsNamed() {
    assertThat(Run.of("scann", "t").err())
        .isEqualTo(
            "evenkey: unknown command: scann; did you mean scan? 'evenkey --help' shows its"
                + " arguments\n");
    assertThat(Run.of("size", "--gb", "1", "t").err())
        .startsWith("evenkey: unexpected argument: t; ");
  }

  /** Every word stands within the line, also those of the rights. */
  @Test
  void helpIsAsWideAsTheTerminal() {
    System.setProperty(Evenkey.COLUMNS, "80");
    try {
      for (String command : List.of("import", "portal", "heat", "migrate", "regions", "scan")) {
        assertThat(Run.of(command, "--help").out().lines())
            .as(command)
            .allMatch(line -> line.length() <= 80);
      }
    } finally {
      System.clearProperty(Evenkey.COLUMNS);
    }
  }

  @Test
  void helpListsCommandsAndExitCodes() {
    Run run = Run.of("--help");
    assertThat(run.exit()).isZero();
    assertThat(run.out())
        .contains("demo", "explain", "decode", "ranges", "splits", "size", "dev", "Exit codes");
    assertThat(Run.of().exit()).isEqualTo(2);
    assertThat(Run.of().err()).contains("Usage: evenkey");
    for (String command :
        new String[] {"demo", "explain", "decode", "ranges", "splits", "size", "dev"}) {
      assertThat(Run.of(command, "--help").out()).as(command).contains("Example");
    }
  }
}
