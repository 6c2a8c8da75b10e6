/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What commands say of records that are not as they should be. */
@ExtendWith(EmbeddedHBaseExtension.class)
class RecordsInIT {
  /** Moves the cursor, rings the bell, sets the title; and two controls beyond ASCII. */
  private static final String HOSTILE = "a\u001b[31m\u0007\u001b]0;t\u0007\r\b\u007f\u0085\u009b";

  @TempDir private Path directory;
  private EmbeddedHBase hbase;
  private Connection connection;
  private String table;

  @BeforeEach
  void open(EmbeddedHBase shared, Connection plain, TestInfo info) {
    hbase = shared;
    connection = plain;
    table =
        info.getTestMethod().orElseThrow().getName() + info.getDisplayName().replaceAll("\\W", "");
  }

  private Run run(String... arguments) {
    return Run.on(hbase, arguments);
  }

  private void create(String layout) {
    run("plan", table, "--layout", layout, "--families", "d").done();
    run("create", table).done();
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text, StandardCharsets.UTF_8).toString();
  }

  @Test
  void moreRejectsThanMayBeAreAFailureWhichTheLastLineCounts() throws Exception {
    create("id:int64");
    StringBuilder text = new StringBuilder("id,v\n");
    for (int i = 0; i < 41; i++) {
      text.append(i < 17 ? "x" + i : "" + i).append(",v\n");
    }
    String file = file("records.csv", text.toString());
    Run bulk = run("import", table, "--csv", file, "--bulk");
    assertThat(bulk.exit()).isEqualTo(1);
    assertThat(bulk.err()).contains("so none was loaded: rejected=17 allowed=0 records=41");
    assertThat(run("count", table).done().out()).isEqualTo("0\n");

    Run some = run("import", table, "--csv", file, "--force");
    assertThat(some.exit()).isEqualTo(1);
    assertThat(some.out().lines().reduce((first, second) -> second))
        .hasValue("rejected: 17 of 41 records; see " + file + ".rejects.csv");
    assertThat(some.err())
        .contains("the others are loaded: rejected=17 records=41 allowed=0 see=" + file);
    assertThat(run("count", table).done().out()).isEqualTo("24\n");
    assertThat(run("import", table, "--csv", file, "--force", "--max-rejects", "17").exit())
        .isZero();
    assertThat(run("import", table, "--csv", file, "--force", "--max-rejects", "16").err())
        .contains("too many records cannot be loaded: rejected=17 allowed=16");
  }

  @Test
  void aCellThatHBaseDoesNotTakeIsRejectedWithItsLine() throws Exception {
    create("id:string");
    String large = "x".repeat(11 << 20);
    String file = file("large.csv", "id,v\n1,a\n2," + large + "\n3,c\n");
    Run one = run("import", table, "--csv", file, "--max-rejects", "1");
    assertThat(one.exit()).as(one.err()).isZero();
    assertThat(Files.readString(Path.of(file + ".rejects.csv")))
        .contains(file + ",3,d:v,\"cell of ", "more than HBase takes");
    assertThat(run("count", table).done().out()).isEqualTo("2\n");
  }

  @ParameterizedTest
  @CsvSource({"1700000000,s", "20231114,yyyyMMdd"})
  void numbersThatAreHardlyMillisecondsAreWarnedOf(String number, String unit) throws Exception {
    create("id:string + ts:timestamp");
    String file = file("times.csv", "id,ts\n1," + number + "\n2," + number + "\n");
    Run warned = run("import", table, "--csv", file).done();
    assertThat(warned.out())
        .contains(
            "warning: times that are hardly in milliseconds", "records=2 field=ts value=" + number)
        .contains("name their unit (--time-unit): unit=" + unit);
    run("import", table, "--csv", file, "--time-unit", unit).done();
    assertThat(run("count", table, "--where", "ts >= 2023-11-14 and ts < 2023-11-15").done().out())
        .isEqualTo("2\n");
    assertThat(run("import", table, "--csv", file, "--time-unit", "minutes").exit()).isEqualTo(2);
  }

  @Test
  void oddTimesInArgumentsAreWarnedOf() throws Exception {
    create("id:string + ts:timestamp");
    String warning =
        "warning: time that is hardly in milliseconds since 1970, the unit that was assumed:"
            + " field=ts value=1700000000 time=1970-01-20T16:13:20Z; write 2023-11-14T22:13:20Z if"
            + " it is seconds";
    String condition = "id = 'a' and ts >= 1700000000";
    String out = directory.resolve("out.csv").toString();
    for (Run warned :
        List.of(
            run("put", table, "id=a", "ts=1700000000", "d:v=1"),
            run("get", table, "id=a", "ts=1700000000"),
            run("scan", table, "--where", condition),
            run("count", table, "--where", condition),
            run("export", table, "--where", condition, "--out", out))) {
      assertThat(warned.done().err()).contains(warning);
      assertThat(warned.out()).doesNotContain("warning");
    }
    assertThat(run("get", table, "id=a", "ts=1970-01-20T16:13:20Z").done().err()).isEmpty();
  }

  @Test
  void oddTimesOfTheKeyOfAnIndexAreWarnedOf() throws Exception {
    create("id:string");
    run("index", "add", table, "by_time", "at:timestamp + id:string", "--from", "at=d:at").done();
    assertThat(run("scan", table, "--where", "at >= 1700000000").done().err())
        .contains("warning: time that is hardly", "value=1700000000");
  }

  @Tag("long")
  @Test
  void filesByMapReduceWarnOfTimesToo() throws Exception {
    create("id:string + ts:timestamp");
    String file = file("times.csv", "id,ts\n1,1700000000\n");
    assertThat(run("import", table, "--csv", file, "--bulk").done().out())
        .contains("warning: times that are hardly in milliseconds", "(--time-unit): unit=s");
    run("import", table, "--csv", file, "--bulk", "--time-unit", "s").done();
    assertThat(run("count", table, "--where", "ts >= 2023-11-14").done().out()).isEqualTo("1\n");
  }

  @Test
  void oneDialectIsForFilesOfOneFormat() throws Exception {
    create("id:string");
    String csv = file("a.csv", "id;v\n1;a\n");
    String tsv = file("b.tsv", "id;v\n2;b\n");
    List<String> both = List.of("import", table, "--csv", csv, "--csv", tsv, "--delimiter", ";");
    for (String how : List.of("--bulk", "--writers=2")) {
      Run refused = run(Stream.concat(both.stream(), Stream.of(how)).toArray(String[]::new));
      assertThat(refused.exit()).as(how).isEqualTo(2);
      assertThat(refused.err())
          .contains("options of delimited text for files of several formats: file=" + tsv);
    }
    assertThat(run("count", table).done().out()).isEqualTo("0\n");
    assertThat(run("import", table, "--csv", tsv).err())
        .contains("read as tsv: tabs between values, and a quote is a character; --delimiter");
    Run told =
        run("import", table, "--csv", csv, "--csv", tsv, "--delimiter", ";", "--format", "csv");
    assertThat(told.done().err()).doesNotContain("read as");
    assertThat(run("count", table).done().out()).isEqualTo("2\n");
  }

  private static void assertPrintable(List<String> arguments, String output) {
    assertThat(output.chars().filter(c -> Character.isISOControl(c) && c != '\n' && c != '\t'))
        .as("%s: %s", arguments, output)
        .isEmpty();
  }

  @Tag("long")
  @Test
  void noCommandPrintsControlCharactersOfKeysAndValues() throws Exception {
    create("k:string + n:int64");
    String key = "k=" + HOSTILE;
    run("put", table, key, "n=1", "d:" + HOSTILE + "=" + HOSTILE).done();
    String csv =
        file(
            "twice.csv",
            "k,n,v\n\"" + HOSTILE + "\",2,v\n\"" + HOSTILE + "\",2,w\n\"" + HOSTILE + "\",x,w\n");
    String queries = file("queries.txt", "k = ? : weight 1\n");
    String wrong = file("wrong.txt", HOSTILE + " = ? : weight 1\n");
    List<String> row =
        List.of(
            Run.of("explain", "k:string + n:int64", "--set", key, "--set", "n=1", "--json")
                .json()
                .get("physical_hex")
                .asText());
    List<List<String>> commands = new ArrayList<>();
    for (String line :
        List.of(
            "get T K n=1",
            "get T K n=2",
            "get T K n=9",
            "get T K n=HOSTILE",
            "get T HOSTILE=1",
            "scan T",
            "scan T --reversed",
            "scan T --where K",
            "count T",
            "count HOSTILE",
            "scan T --explain",
            "heat T",
            "verify T",
            "verify T --against HOSTILE",
            "put T K n=1",
            "put T K n=1 d:x:int64=HOSTILE",
            "put T K n=HOSTILE d:x=1",
            "plan T",
            "plan T --layout HOSTILE",
            "create HOSTILE",
            "adopt T",
            "import T --csv CSV --force",
            "import T --csv HOSTILE",
            "import T --csv CSV --on-collision fail --force",
            "import T --csv CSV --column HOSTILE",
            "import T --csv CSV --family HOSTILE",
            "export T --out HOSTILE/x.csv",
            "export T --out OUT.csv",
            "export T --out OUT.tsv",
            "export T --out OUT.ndjson --column d:HOSTILE=x:int64",
            "explain k:string --set K",
            "explain k:string --set k=HOSTILE --set HOSTILE=1",
            "decode k:string+n:int64 ROW",
            "decode k:int64 HOSTILE",
            "ranges k:string --where K",
            "ranges HOSTILE",
            "splits k:string --regions 3 --csv CSV",
            "splits k:string --regions HOSTILE",
            "advise --csv CSV --queries QUERIES",
            "advise --csv CSV --queries WRONG",
            "advise --csv CSV --queries HOSTILE",
            "regions T",
            "index list T",
            "index show T HOSTILE",
            "migrate T --status",
            "migrate T --yes --layout HOSTILE",
            "grow T --buckets 4",
            "HOSTILE",
            "scan T --HOSTILE")) {
      List<String> arguments = new ArrayList<>();
      for (String word : line.split(" ", -1)) {
        arguments.add(
            switch (word) {
              case "T" -> table;
              case "K" -> line.contains("--where") ? "k = \"a" + HOSTILE.substring(1) + "\"" : key;
              case "CSV" -> csv;
              case "QUERIES" -> queries;
              case "WRONG" -> wrong;
              case "ROW" -> row.get(0);
              default ->
                  word.replace("HOSTILE", HOSTILE)
                      .replace("OUT", directory.resolve("out").toString());
            });
      }
      commands.add(arguments);
    }
    for (List<String> arguments : commands) {
      String[] words = arguments.toArray(new String[0]);
      boolean isAlone = Set.of("explain", "decode", "ranges", "splits").contains(words[0]);
      Run run = isAlone ? Run.of(words) : run(words);
      assertPrintable(arguments, run.out());
      assertPrintable(arguments, run.err());
    }
    for (String command : List.of("get", "scan")) {
      List<String> json = new ArrayList<>(List.of(command, table));
      json.addAll(command.equals("get") ? List.of(key, "n=1", "--json") : List.of("--json"));
      Run run = run(json.toArray(new String[0])).done();
      assertPrintable(json, run.out());
      assertThat(run.json().toString()).contains("a\\u001B[31m");
    }
  }

  @Test
  void aDateForANumberInAQueryIsNamed() throws Exception {
    StringBuilder text = new StringBuilder("id,n,ts\n");
    for (int i = 0; i < 50; i++) {
      text.append(String.format("d%d,%d,2026-01-%02dT08:30:00Z%n", i, i * 7, 1 + i % 28));
    }
    String csv = file("sample.csv", text.toString());
    for (String query :
        List.of("n >= 2026-01-31", "n = 2026-01-31", "n between 1 and x", "n in (1, y)")) {
      Run run = run("advise", "--csv", csv, "--queries", file("q.txt", query + " : weight 1\n"));
      assertThat(run.exit()).as(run.err()).isEqualTo(2);
      assertThat(run.err()).contains("field=n value=").doesNotContain("For input string");
    }
    run("advise", "--csv", csv, "--queries", file("t.txt", "ts >= 2026-01-15 : weight 1\n")).done();
  }

  @Test
  void plansSayWhatTheyDoNotChangeAndWhatIsTooMuch() throws Exception {
    create("k:string");
    assertThat(run("plan", table, "--layout", "salt(4) + k:string", "--regions", "4").done().out())
        .contains("the table exists with another layout", "layout=k:string; 'evenkey migrate");
    assertThat(
            run("plan", table + "Many", "--layout", "salt(1000) + k:string", "--regions", "1000")
                .done()
                .out())
        .contains("warning: 1,000 regions on ", "HBase advises at most 200");
    TableName plain = TableName.valueOf(table + "Plain");
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(plain)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
              .build());
    }
    Run refused = run("import", plain.getNameAsString(), "--csv", file("k.csv", "k,v\na,b\n"));
    assertThat(refused.exit()).isEqualTo(1);
    assertThat(refused.err())
        .contains("table without a layout: table=" + plain, "'evenkey adopt " + plain + "'");
    assertThat(run("plan", plain.getNameAsString(), "--layout", "k:string").done().out())
        .contains("the table exists: table without a layout", "evenkey adopt");
  }
}
