/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.evenkey.app.Main;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.guard.GuardAttributes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Commands on tables, from the plan to the export. */
@ExtendWith(EmbeddedHBaseExtension.class)
class TableCommandsIT {
  private static final String LAYOUT = "salt(8, device) + device:string + ts:timestamp desc";

  @TempDir private Path directory;
  private EmbeddedHBase hbase;
  private Connection connection;
  private String table;

  @BeforeEach
  void open(EmbeddedHBase shared, Connection plain, TestInfo info) {
    hbase = shared;
    connection = plain;
    table = info.getTestMethod().orElseThrow().getName();
  }

  private Run run(String... arguments) {
    return Run.on(hbase, arguments);
  }

  private Run done(String... arguments) {
    return run(arguments).done();
  }

  private void planned() {
    done("plan", table, "--layout", LAYOUT, "--regions", "4", "--families", "d");
    done("create", table);
  }

  private Path records(int count) throws IOException {
    StringBuilder lines = new StringBuilder("device,ts,temp\n");
    for (int i = 0; i < count; i++) {
      lines.append(
          String.format(Locale.ROOT, "d%03d,%d,%.1f%n", i % 100, 1_700_000_000_000L + i, i % 40.0));
    }
    return Files.writeString(directory.resolve("records.csv"), lines);
  }

  @Test
  void planIsStoredShownAndCreated() throws Exception {
    JsonNode plan = done("plan", table, "--layout", LAYOUT, "--families", "d", "--json").json();
    assertThat(plan.get("layout").asText()).isEqualTo(LAYOUT);
    assertThat(plan.get("regions").asInt()).as("one for each bucket").isEqualTo(8);
    assertThat(plan.get("version").asInt()).isZero();
    assertThat(done("plan", table, "--regions", "4", "--json").json().get("version").asInt())
        .isEqualTo(1);
    assertThat(done("plan").out()).contains(table + " ").contains(LAYOUT);
    assertThat(done("plan", table, "--history").out().lines()).hasSize(3);

    JsonNode created = done("create", table, "--json").json();
    assertThat(created.get("regions").asInt()).isEqualTo(4);
    assertThat(created.get("splits_hex").get(0).asText()).isEqualTo("02");
    assertThat(created.get("settings")).hasSize(4);
    try (Admin admin = connection.getAdmin()) {
      assertThat(TableLayout.of(admin.getDescriptor(TableName.valueOf(table))))
          .isEqualTo(Layout.parse(LAYOUT));
      assertThat(admin.getRegions(TableName.valueOf(table))).hasSize(4);
    }
    Run again = run("create", table);
    assertThat(again.exit()).isEqualTo(1);
    assertThat(again.err())
        .isEqualTo(
            "evenkey: table exists: table=" + table + "; choose another name, nothing changed\n");
  }

  @Tag("long")
  @Test
  void twoTablesAreComparedAndTheSecondRepaired() throws Exception {
    String other = table + "_16";
    planned();
    done("plan", other, "--layout", LAYOUT.replace("salt(8", "salt(16"), "--families", "d");
    done("create", other);
    String file = records(500).toString();
    done("import", table, "--csv", file);
    done("import", other, "--csv", file);
    String checkpoint = directory.resolve("verify").toString();
    // Imported at two different moments: every cell has another timestamp.
    Run run = run("verify", table, "--against", other, "--pause", "0", "--checkpoint", checkpoint);
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out()).contains("different  device=d0").contains("… of 500");
    assertThat(run.err()).contains("--repair changes the rows of " + other);
    done(
        "verify",
        table,
        "--against",
        other,
        "--repair",
        "--pause",
        "0",
        "--checkpoint",
        checkpoint);
    JsonNode same =
        done("verify", table, "--against", other, "--json", "--checkpoint", checkpoint).json();
    assertThat(same.get("same").asBoolean()).isTrue();
    assertThat(same.get("rows").asInt()).isEqualTo(500);
    assertThat(run("verify", table, "--against", other, "--max-differences", "0").exit())
        .isEqualTo(2);
  }

  @Test
  void plansThatCannotBeCreatedAreRefused() {
    assertThat(run("plan", table, "--layout", LAYOUT, "--regions", "9"))
        .satisfies(
            run -> {
              assertThat(run.exit()).isEqualTo(2);
              assertThat(run.err()).contains("more regions than buckets: regions=9 buckets=8");
            });
    assertThat(run("plan", table, "--layout", "key:bytes", "--whole-buckets").err())
        .contains("no buckets to keep whole");
    assertThat(run("create", table).err()).contains("no layout is planned for the table: table=");
    done("plan", "nospace:t", "--layout", LAYOUT, "--families", "d");
    assertThat(run("create", "nospace:t").err())
        .contains("no such namespace: namespace=nospace; create it in the HBase shell");
    assertThat(done("plan", table).out()).startsWith("nothing is planned");
  }

  @Test
  void sampleCutsBucketsToo() throws Exception {
    Path file = records(2_000);
    JsonNode plan =
        done(
                "plan",
                table,
                "--layout",
                LAYOUT,
                "--regions",
                "16",
                "--csv",
                file.toString(),
                "--families",
                "d",
                "--json")
            .json();
    assertThat(plan.get("splits_hex")).hasSize(15);
    assertThat(done("create", table, "--json").json().get("regions").asInt()).isEqualTo(16);
  }

  /** The rule for a small table asks for more regions than there are buckets, or rows. */
  @Test
  void fewRowsAreCutBetweenTheirBuckets() throws Exception {
    String file =
        Files.writeString(directory.resolve("two.csv"), "device,ts\na,1\nb,2\n").toString();
    String line = "salt(4) + device:string + ts:timestamp";
    Run planned = done("plan", table, "--layout", line, "--csv", file, "--families", "d");
    assertThat(planned.out()).contains("regions    4\n");
    assertThat(planned.err()).contains("one for each bucket;", "give more rows in " + file);
    assertThat(run("plan", table, "--regions", "7", "--csv", file).err())
        .contains("sample too small to cut inside a bucket: regions=7 buckets=4 bucket=")
        .contains("ask for at most 4 regions");
    assertThat(done("plan", table, "--history").out()).doesNotContainPattern(":\\d\\d\\.\\d");
  }

  @Test
  void aSampleWithoutALayoutOrATableIsNotIgnored() throws Exception {
    String file = records(10).toString();
    for (String[] plan :
        new String[][] {
          {table, "no layout to cut the table by: " + table + "; give it by --layout"},
          {"shop:*", "--gb and --csv cut one table: shop:*; name the table"}
        }) {
      assertThat(run("plan", plan[0], "--csv", file))
          .satisfies(run -> assertThat(run.exit()).isEqualTo(2))
          .satisfies(run -> assertThat(run.err()).contains(plan[1]));
      assertThat(run("plan", plan[0], "--gb", "70").err()).contains(plan[1]);
    }
    assertThat(run("plan", "--csv", file).err()).contains("no table named");
    String namespace = "n" + table;
    try (Admin admin = connection.getAdmin()) {
      admin.createNamespace(NamespaceDescriptor.create(namespace).build());
    }
    done("plan", namespace + ":*", "--layout", "device:string + ts:timestamp");
    Run cut = done("plan", namespace + ":t", "--regions", "3", "--csv", file, "--json");
    assertThat(cut.json().get("splits_hex")).hasSize(2);
  }

  /** Three metrics cannot fill eight buckets, nor two regions three servers. */
  @Tag("long")
  @Test
  void unevenRowsAndIdleServersAreWarnedOf() throws Exception {
    StringBuilder lines = new StringBuilder("device,ts,temp\n");
    for (int i = 0; i < 600; i++) {
      lines.append("m" + i % 3 + "," + (1_700_000_000_000L + i) + ",1\n");
    }
    String file = Files.writeString(directory.resolve("few.csv"), lines).toString();
    assertThat(done("plan", table, "--layout", LAYOUT, "--regions", "2", "--families", "d").out())
        .contains(
            "warning: regions=2 servers=", " of the servers get no bucket of salt(8, device)");
    assertThat(done("create", table).out()).contains("warning: regions=2 servers=");
    assertThat(done("import", table, "--csv", file).out())
        .contains("warning: rows lie unevenly over the 8 buckets of salt(8, device)");
    assertThat(done("import", table, "--csv", file, "--bulk").out())
        .contains("warning: rows lie unevenly over the 8 buckets of salt(8, device)");
    Run planned = done("plan", table, "--regions", "8", "--csv", file, "--json");
    assertThat(planned.json().get("splits_hex")).hasSize(7);
    assertThat(planned.err()).contains("rows lie unevenly over the 8 buckets");
  }

  @Test
  void plansAreExportedToAFileAndImported() throws Exception {
    done("plan", table, "--layout", LAYOUT, "--regions", "4");
    Path file = directory.resolve("plans.json");
    done("plan", "--export", file.toString());
    done("plan", table, "--remove");
    assertThat(done("plan", table).out()).startsWith("nothing is planned");
    done("plan", "--import", file.toString());
    assertThat(done("plan", table, "--json").json().get("regions").asInt()).isEqualTo(4);
    done("plan", table, "--regions", "2");
    assertThat(run("plan", "--import", file.toString()))
        .satisfies(run -> assertThat(run.exit()).isEqualTo(1))
        .satisfies(run -> assertThat(run.err()).contains("another plan is stored: plan=" + table));
  }

  @Test
  void recordsAreImportedAndExportedInOrder() throws Exception {
    planned();
    Path file = records(3_000);
    JsonNode loaded =
        done("import", table, "--csv", file.toString(), "--column", "d:t=temp:float64", "--json")
            .json();
    assertThat(loaded.get("records").asInt()).isEqualTo(3_000);
    assertThat(loaded.get("rows").asInt()).isEqualTo(3_000);
    assertThat(loaded.get("collisions").asInt()).isZero();

    JsonNode newest =
        done(
                "scan",
                table,
                "--where",
                "device = 'd007'",
                "--limit",
                "2",
                "--column",
                "d:t=temp:float64",
                "--json")
            .json();
    assertThat(newest.get("count").asInt()).isEqualTo(2);
    assertThat(newest.get("rows").get(0).get("ts").asLong()).isEqualTo(1_700_000_002_907L);
    assertThat(newest.get("rows").get(1).get("ts").asLong()).isEqualTo(1_700_000_002_807L);
    assertThat(newest.get("rows").get(0).get("temp").asDouble()).isEqualTo(2907 % 40);
    assertThat(done("count", table).out()).isEqualTo("3000\n");
    JsonNode explained = done("scan", table, "--limit", "5", "--explain", "--json").json();
    assertThat(explained.get("gathering").asText()).isEqualTo("on_servers");
    assertThat(explained.get("limit").asInt()).isEqualTo(5);
    assertThat(explained.has("rows")).isFalse();
    assertThat(done("scan", table, "--where", "device = 'd007'", "--explain").out())
        .contains("one range: a plain scan", "1 in 1 region on 1 region server");
    assertThat(
            done("scan", table, "--where", "ts >= 2026-01-01", "--limit", "5", "--explain").out())
        .contains("tested", "ts >= 2026-01-01 (by the client, on each row)");
    assertThat(
            done("count", table, "--where", "device = 'd007'", "--json").json().get("rows").asInt())
        .isEqualTo(30);
    assertThat(done("scan", table, "--limit", "1", "--column", "d:t:float64").out().lines())
        .containsExactly(
            "device  ts                        d:t", "d000    2023-11-14T22:13:22.900Z  20.0");

    Path out = directory.resolve("out.ndjson.gz");
    done("export", table, "--out", out.toString(), "--column", "d:t=temp:float64");
    String copy = table + "Copy";
    done("plan", copy, "--layout", "salt(5) + device:string + ts:timestamp", "--families", "d");
    done("create", copy);
    done("import", copy, "--csv", out.toString(), "--column", "d:t=temp:float64");
    assertThat(done("count", copy).out()).isEqualTo("3000\n");

    // The schema of the file has the type of the column, which is not named again.
    Path typed = directory.resolve("out.parquet");
    String named = "d:temp=temp:float64";
    done(
        "export",
        copy,
        "--out",
        typed.toString(),
        "--codec",
        "zstd",
        "--column",
        "d:t=temp:float64");
    String third = table + "Third";
    done("plan", third, "--layout", "salt(3) + device:string + ts:timestamp", "--families", "d");
    done("create", third);
    done("import", third, "--csv", typed.toString());
    assertThat(done("scan", third, "--format", "csv", "--column", named).out())
        .isEqualTo(done("scan", copy, "--format", "csv", "--column", "d:t=temp:float64").out());
  }

  @Test
  void rowsAreWrittenAndReadOneByOne() throws Exception {
    planned();
    done("put", table, "device=d1", "ts=2026-01-31T08:30Z", "d:temp:float64=21.5", "d:note=warm");
    JsonNode row =
        done(
                "get",
                table,
                "device=d1",
                "ts=2026-01-31T08:30Z",
                "--column",
                "d:temp:float64",
                "--json")
            .json();
    assertThat(row.get("d:temp:float64").asDouble()).isEqualTo(21.5);
    assertThat(row.get("note").asText()).isEqualTo("warm");
    Run none = run("get", table, "device=d2", "ts=2026-01-31T08:30Z");
    assertThat(none.exit()).isEqualTo(1);
    assertThat(none.err()).contains("no such row: table=" + table);
    assertThat(run("get", table, "devise=d1", "ts=1").err()).contains("did you mean 'device'?");
    assertThat(run("put", table, "device=d1", "ts=1", "d:t:int32=x").exit()).isEqualTo(2);
    assertThat(run("put", table, "device=d1", "ts=1").err()).contains("no column");
    assertThat(run("scan", table, "--where", "devise = 'x'").err())
        .contains("unknown field 'devise'; did you mean 'device'?");
  }

  @Test
  void anImportThatIsInterruptedSaysHowToGoOn() throws Exception {
    planned();
    Path log = directory.resolve("err.txt");
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "import",
                table,
                "--csv",
                "-",
                "--checkpoint",
                directory.resolve("a checkpoint").toString(),
                "--conf",
                hbase.configurationDirectory().toString())
            .redirectError(log.toFile())
            .start();
    try (OutputStream input = process.getOutputStream()) {
      input.write("device,ts,temp\n".getBytes(StandardCharsets.UTF_8));
      for (int i = 0; i < 100_000; i++) {
        input.write(("d1," + i + ",20\n").getBytes(StandardCharsets.UTF_8));
      }
      input.flush();
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> Files.exists(directory.resolve("a checkpoint")));
      // Like Ctrl-C. Process.destroy would close the input first, and the import could finish.
      process.toHandle().destroy();
      assertThat(process.waitFor()).isEqualTo(143);
    } finally {
      process.destroyForcibly();
    }
    assertThat(Files.readString(log).strip().lines().toList())
        .last()
        .asString()
        .matches(
            "stopped: table="
                + table
                + " records=[0-9,]+; with the same input from its beginning, go on with: evenkey"
                + " import "
                + table
                + " --resume --csv - --checkpoint '.*a checkpoint' --conf .*");
  }

  @Test
  void aRowIsTheSameJsonWhereverItIsRead() throws Exception {
    planned();
    done("put", table, "device=d1", "ts=2026-01-31T08:30Z", "d:temp=21", "d:count:int64=7");
    String lines = done("scan", table, "--format", "ndjson").out();
    JsonNode exported = new ObjectMapper().readTree(lines);
    assertThat(exported)
        .hasToString(
            "{\"device\":\"d1\",\"ts\":1769848200000,\"d:count:bytes\":\"0000000000000007\","
                + "\"temp\":\"21\"}");
    assertThat(done("scan", table, "--json").json().get("rows").get(0)).isEqualTo(exported);
    String[] get = {"get", table, "device=d1", "ts=2026-01-31T08:30Z", "--json"};
    assertThat(done(get).json()).isEqualTo(exported);
    JsonNode named =
        done("scan", table, "--json", "--column", "d:count=n:int64").json().get("rows").get(0);
    assertThat(named).hasToString("{\"device\":\"d1\",\"ts\":1769848200000,\"n\":7}");
    Run line = done("scan", table, "--format", "ndjson", "--column", "d:count=n:int64");
    assertThat(new ObjectMapper().readTree(line.out())).isEqualTo(named);
  }

  @Tag("ci")
  @Test
  void theShellCompletesNamesOfTheCluster() throws Exception {
    planned();
    done("plan", "planned_only", "--layout", LAYOUT, "--families", "d");
    String conf = " --conf " + hbase.configurationDirectory();
    assertThat(completed("evenkey scan" + conf + " the"))
        .contains(table)
        .doesNotContain("planned_only");
    assertThat(completed("evenkey create" + conf + " planned_")).containsExactly("planned_only");
    done("index", "add", table, "by_ts", "salt(4) + ts:timestamp");
    assertThat(completed("evenkey index show" + conf + " " + table + " ")).containsExactly("by_ts");
    assertThat(completed("evenkey scan" + conf + " " + table)).containsExactly(table);
    assertThat(run("scan", table + "s").err())
        .isEqualTo(
            "evenkey: no such table: table="
                + table
                + "s; did you mean "
                + table
                + "? create it from its plan ('evenkey create "
                + table
                + "s')\n");
  }

  private List<String> completed(String line) {
    return Run.of("completion", "--line", line).done().out().lines().toList();
  }

  @Tag("long")
  @Test
  void anImportThatIsKilledResumes() throws Exception {
    planned();
    int count = 200_000;
    Path file = records(count);
    Path log = directory.resolve("err.txt");
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "import",
                table,
                "--csv",
                file.toString(),
                "--conf",
                hbase.configurationDirectory().toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Path checkpoint = Path.of(file + "." + table + ".checkpoint");
    while (process.isAlive()
        && !(Files.exists(checkpoint)
            && Files.readString(checkpoint, StandardCharsets.UTF_8)
                .matches("(?s).*\"records\" : [1-9].*"))) {
      assertThat(process.waitFor(10, TimeUnit.MILLISECONDS)).as(Files.readString(log)).isFalse();
    }
    // SIGKILL: no shutdown hook, no finally.
    assertThat(process.destroyForcibly().waitFor()).isEqualTo(137);

    Run unsure = run("import", table, "--csv", file.toString());
    assertThat(unsure.exit()).isEqualTo(1);
    assertThat(unsure.err())
        .contains("load was interrupted before")
        .contains("resume the load (--resume)");
    JsonNode resumed = done("import", table, "--csv", file.toString(), "--resume", "--json").json();

    assertThat(resumed.get("resumed_at").asLong()).isBetween(1L, (long) count - 1);
    assertThat(resumed.get("rows").asInt()).isEqualTo(count);
    assertThat(resumed.get("collisions").asInt()).isZero();
    assertThat(rawCells()).as("each row once, in one version").isEqualTo(count);
    assertThat(checkpoint).doesNotExist();
  }

  private int rawCells() throws IOException {
    int cells = 0;
    Scan scan = new Scan().readAllVersions().setRaw(true);
    try (Table plain = connection.getTable(TableName.valueOf(table));
        ResultScanner rows = plain.getScanner(scan)) {
      for (Result row : rows) {
        cells += row.size();
      }
    }
    return cells;
  }

  @Tag("long")
  @Test
  void filesByMapReduceGiveTheSameRows() throws Exception {
    planned();
    Path file = records(5_000);
    JsonNode loaded = done("import", table, "--csv", file.toString(), "--bulk", "--json").json();
    assertThat(loaded.get("rows").asInt()).isEqualTo(5_000);
    assertThat(done("count", table).out()).isEqualTo("5000\n");
    assertThat(run("import", table, "--csv", "-", "--bulk").err())
        .contains("--bulk reads files, which tasks can open");
  }

  @Tag("long")
  @Test
  void tableOfOthersIsRecognisedAndRecorded() throws Exception {
    TableName name = TableName.valueOf(table);
    Layout theirs = Layout.parse("hbasewd_salt(6) + key:bytes");
    try (Admin admin = connection.getAdmin();
        Table plain = open(admin, name)) {
      for (int i = 0; i < 300; i++) {
        byte[] key = Bytes.toBytes("user" + i % 60 + "-" + (1_700_000_000_000L + i));
        plain.put(new Put(theirs.physical(key)).addColumn(Bytes.toBytes("d"), key, key));
      }
    }
    assertThat(run("scan", table).err()).contains("table without a layout");
    JsonNode found = done("adopt", table, "--json").json();
    assertThat(found.get("proposals").get(0).get("layout").asText())
        .isEqualTo("hbasewd_salt(6) + name:string + \"-\" + no:digits(13)");
    assertThat(found.get("proposals").get(1).get("layout").asText())
        .isEqualTo("hbasewd_salt(6) + key:bytes");
    assertThat(found.get("recorded").asBoolean()).isFalse();
    assertThat(run("adopt", table, "--layout", "salt(6) + key:bytes").err())
        .contains("layout does not fit: table=" + table);

    done("adopt", table, "--key", "user:string + \"-\" + ts:digits", "--record");
    assertThat(done("verify", table).out()).endsWith("sound\n");
    assertThat(done("count", table, "--where", "user = 'user7'").out()).isEqualTo("5\n");
    assertThat(run("adopt", table).exit()).isEqualTo(2);
  }

  /** Keys as {@code Bytes.toBytes} makes them, which two lines read byte by byte, and one right. */
  @Test
  void numbersOfBytesAreGuessedDoubtedAndCorrected() throws Exception {
    TableName name = TableName.valueOf(table);
    try (Admin admin = connection.getAdmin();
        Table plain = open(admin, name)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        byte[] key = Bytes.add(Bytes.toBytes(1_790_000_000_000L + i), Bytes.toBytes(7L * i));
        puts.add(new Put(key).addColumn(Bytes.toBytes("d"), key, key));
      }
      plain.put(puts);
    }
    String right = "ts:timestamp(long) + id:long";
    Run guessed = done("adopt", table);
    assertThat(guessed.out())
        .startsWith(right + "   (rows stored under their keys, without a prefix, fields guessed)")
        .contains("\\x00\\x00\\x01\\xA0\\xC4Pl\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00   ")
        .contains("2026-09-21T14:13:20Z");
    assertThat(guessed.err()).doesNotContain("implausible");

    Run wrong = done("adopt", table, "--layout", "ts:timestamp + id:int64", "--record");
    assertThat(wrong.err())
        .contains("values of timestamp are implausible: field=ts:timestamp value=-92233")
        .contains("ts:timestamp(long) + id:int64 fits the rows too");
    assertThat(done("verify", table).out())
        .contains("doubtful    values of timestamp are implausible")
        .endsWith("sound\n");
    assertThat(run("doctor", "--seconds", "0").out())
        .contains("values of timestamp are implausible");
    assertThat(done("count", table, "--where", "ts >= 2026-01-01").out()).isEqualTo("0\n");

    assertThat(run("adopt", table).err()).contains("--layout LINE corrects it");
    assertThat(run("adopt", table, "--layout", "ts:bytes(7) + id:bytes(9)", "--record").exit())
        .isZero();
    assertThat(done("adopt", table, "--layout", right, "--record").err())
        .doesNotContain("implausible");
    assertThat(done("count", table, "--where", "ts >= 2026-01-01").out()).isEqualTo("50\n");
    assertThat(done("verify", table).out()).doesNotContain("doubtful").endsWith("sound\n");
  }

  private Table open(Admin admin, TableName name) throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
            .build());
    return connection.getTable(name);
  }

  @Test
  void rowsOfOthersAreListedAndTheTableStaysUsable() throws Exception {
    planned();
    for (int i = 0; i < 8; i++) {
      done("put", table, "device=d" + i, "ts=1", "d:x=1");
    }
    byte[] foreign = {0, 'f', 'o', 'r', 'e', 'i', 'g', 'n'};
    try (Table plain = connection.getTable(TableName.valueOf(table))) {
      Put put = new Put(foreign).addColumn(Bytes.toBytes("d"), foreign, foreign);
      put.setAttribute(GuardAttributes.RAW, GuardAttributes.number(1));
      plain.put(put);
    }
    assertThat(done("scan", table).out()).contains("d0").contains("d7").doesNotContain("foreign");
    assertThat(done("export", table, "--out", directory.resolve("rows.csv").toString()).err())
        .contains("warning: the file lacks 1 row, not written", "'evenkey verify " + table + "'");
    Run verify = run("verify", table);
    assertThat(verify.exit()).isEqualTo(1);
    assertThat(verify.out()).contains("foreign     1 of 9 rows").contains("usable, NOT SOUND");
    assertThat(verify.err()).contains("the table can be used, without these rows");
    JsonNode json = run("verify", table, "--json").json();
    assertThat(json.get("sound").asBoolean()).isFalse();
    assertThat(json.get("usable").asBoolean()).isTrue();
    assertThat(json.get("foreign").asInt()).isEqualTo(1);
    assertThat(json.get("descriptor").get("misfits").get(0).asText()).contains("foreign");
  }

  @Test
  void disagreementIsShownAndRepaired() throws Exception {
    planned();
    done("put", table, "device=d1", "ts=1", "d:x=1");
    TableName name = TableName.valueOf(table);
    try (Admin admin = connection.getAdmin()) {
      TableDescriptor now = admin.getDescriptor(name);
      Layout other = Layout.parse("salt(9, device) + device:string + ts:timestamp desc");
      // Without the next state the master refuses it.
      admin.modifyTable(
          TableGuard.with(TableLayout.with(now, other), TableGuard.state(now).next()));
    }
    Run refused = run("scan", table);
    assertThat(refused.exit()).isEqualTo(1);
    assertThat(refused.err())
        .contains("descriptor=salt(9, device)")
        .contains("registry=salt(8, device)");
    Run verify = run("verify", table);
    assertThat(verify.exit()).isEqualTo(1);
    assertThat(verify.out()).contains("fits 0 of 1 row").contains("fits 1 of 1 row");

    done("verify", table, "--trust", "registry");
    assertThat(done("scan", table).out()).contains("d1");
  }
}
