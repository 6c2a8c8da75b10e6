/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The commands on indexes, from adding one to dropping it. */
@ExtendWith(EmbeddedHBaseExtension.class)
class IndexCommandIT {
  private static final int ROWS = 600;
  private static final String BY_CUSTOMER = "salt(4) + customer:string + ts:timestamp desc";

  @TempDir private Path directory;
  private EmbeddedHBase hbase;
  private Connection plain;
  private String table;

  @BeforeEach
  void load(EmbeddedHBase shared, Connection connection, TestInfo info) throws IOException {
    hbase = shared;
    plain = connection;
    table = "index_" + info.getTestMethod().orElseThrow().getName();
    done("plan", table, "--layout", "salt(4) + ts:timestamp + id:int64", "--families", "d");
    done("create", table);
    importRows(0, ROWS);
  }

  private Run run(String... arguments) {
    return Run.on(hbase, arguments);
  }

  private Run done(String... arguments) {
    return run(arguments).done();
  }

  private void importRows(int from, int to) throws IOException {
    StringBuilder lines = new StringBuilder("ts,id,customer,amount\n");
    for (int i = from; i < to; i++) {
      lines.append(1_000L * i).append(',').append(i).append(",c").append(i % 5).append(",1\n");
    }
    Path records = Files.writeString(directory.resolve("records" + from + ".csv"), lines);
    Path checkpoint = directory.resolve("checkpoint" + from);
    done("import", table, "--csv", records.toString(), "--checkpoint", checkpoint.toString());
  }

  private Run add() {
    return run(
        "index",
        "add",
        table,
        "by_customer",
        BY_CUSTOMER,
        "--from",
        "customer=d:customer",
        "--covering",
        "d:amount");
  }

  private JsonNode listed() throws IOException {
    return done("index", "list", table, "--json").json().get("indexes");
  }

  @Test
  void anIndexIsAddedFilledListedVerifiedAndDropped() throws IOException {
    Run added = add().done();
    assertThat(added.out()).contains("clients read it; 600 rows, none of them without its entry");
    assertThat(added.err()).contains("join: ").contains("fill: ").contains("compare rows: ");
    importRows(ROWS, ROWS + 50);

    JsonNode index = listed().get(0);
    assertThat(index.get("state").asText()).isEqualTo("public");
    assertThat(index.get("entries_table").asText()).isEqualTo(table + ".by_customer");
    assertThat(index.get("filled_rows").asInt()).isEqualTo(ROWS);
    assertThat(done("index", "list", table).out())
        .contains("by_customer", "public", "600 rows", "from customer=d:customer");

    JsonNode newest =
        done(
                "scan",
                table,
                "--by",
                "by_customer",
                "--where",
                "customer = 'c3'",
                "--limit",
                "2",
                "--json")
            .json();
    assertThat(newest.get("rows").findValuesAsText("id")).containsExactly("648", "643");
    assertThat(newest.get("rows").get(0).get("customer").asText()).isEqualTo("c3");
    assertThat(done("scan", table, "--by", "by_customer", "--explain").out())
        .contains("index", "by_customer: its entries are read as below");
    assertThat(done("count", table, "--by", "by_customer", "--where", "customer = 'c1'").out())
        .contains("130");
    showsWhatItReads();

    assertThat(done("index", "show", table, "by_customer").out())
        .contains("events", "customer=d:customer", "d:amount", "verified  never");
    assertThat(done("index", "show", table, "by_customer", "--json").json().get("regions").asInt())
        .isPositive();
    assertThat(run("index", "show", table, "by_x").err())
        .contains("no such index", "indexes=by_customer");
    JsonNode verified = done("index", "verify", table, "by_customer", "--json").json();
    assertThat(verified.get("rows").asInt()).isEqualTo(ROWS + 50);
    assertThat(verified.get("missing").asInt()).isZero();
    assertThat(verified.get("entries").asInt()).isEqualTo(ROWS + 50);

    assertThat(done("index", "drop", table, "by_customer").out()).contains("dropped");
    assertThat(listed()).isEmpty();
    assertThat(done("count", table).out()).contains("650");
  }

  private void showsWhatItReads() throws IOException {
    String c3 = "customer = 'c3'";
    assertThat(done("count", table, "--where", c3).out()).contains("130");
    // A column that is a field of the index is shown once.
    for (String[] more : new String[][] {{"--where", c3}, {"--by", "by_customer"}}) {
      String out = done("scan", table, more[0], more[1], "--limit", "1").out();
      assertThat(out.lines().findFirst().orElseThrow()).containsOnlyOnce("customer");
    }
    Run explained = done("scan", table, "--where", c3, "--explain");
    assertThat(explained.out())
        .contains("read by", "row reads")
        .containsPattern("by_customer +customer +- +- +4 +yes +11% +chosen: only this index has")
        .containsPattern(table + " +- +- +- .* its key does not have all fields");
    JsonNode choice =
        done("scan", table, "--where", "ts >= 0", "--any-order", "--explain", "--json")
            .json()
            .get("choice");
    assertThat(choice.get("chosen").asText()).isEqualTo(table);
    assertThat(choice.get("plans").get(1).get("verdict").asText()).contains("have no entries");
    assertThat(choice.get("plans").get(1).get("cost").asDouble()).isGreaterThan(1);
    assertThat(run("scan", table, "--by", "by_price").err()).contains("no such index");
    assertThat(done("scan", table, "--by", table, "--limit", "1", "--json").json().get("rows"))
        .hasSize(1);
  }

  @Tag("long")
  @Test
  void anIndexOfMutableRowsFollowsChangesAndIsSwept() throws IOException {
    done(
        "index",
        "add",
        table,
        "by_customer",
        BY_CUSTOMER,
        "--mutable",
        "--from",
        "customer=d:customer",
        "--covering",
        "d:amount");
    assertThat(listed().get(0).get("protocol").asText()).isEqualTo("mutable");
    StringBuilder lines = new StringBuilder("ts,id,customer\n");
    for (int i = 0; i < 40; i++) {
      lines.append(1_000L * i).append(',').append(i).append(",moved\n");
    }
    Path records = Files.writeString(directory.resolve("changes.csv"), lines);
    done(
        "import",
        table,
        "--csv",
        records.toString(),
        "--checkpoint",
        directory.resolve("changes").toString());
    assertThat(done("count", table, "--by", "by_customer", "--where", "customer = 'moved'").out())
        .contains("40");
    assertThat(done("index", "sweep", table, "by_customer").out())
        .contains(table + ".by_customer: 640 entries read, 40 removed");
    JsonNode again = done("index", "sweep", table, "by_customer", "--json").json();
    assertThat(again.get("entries").asInt()).isEqualTo(ROWS);
    assertThat(again.get("removed").asInt()).isZero();
    assertThat(run("index", "sweep", table, "by_x").err()).contains("no such index");
  }

  @Test
  void anExplanationOfACoveredReadSaysWhichRowsAreRead() throws IOException {
    done(
        "index",
        "add",
        table,
        "by_id",
        "salt(2) + id:int64",
        "--append-only",
        "--covering",
        "d:amount");
    assertThat(done("scan", table, "--by", "by_id", "--column", "d:amount", "--explain").out())
        .contains("by_id: its entries are read as below; settled ones have the columns")
        .contains("only for the others the rows are read")
        .doesNotContain("then their rows");
    assertThat(done("scan", table, "--by", "by_id", "--explain").out())
        .contains("by_id: its entries are read as below, then their rows");
  }

  @Test
  void verifyNamesRowsWithoutTheirEntryAndRepairsThem() throws IOException {
    add().done();
    TableName entries = TableName.valueOf(table + ".by_customer");
    try (Table index = plain.getTable(entries);
        ResultScanner stored = index.getScanner(new Scan().setLimit(1))) {
      Result entry = stored.next();
      Delete delete = new Delete(entry.getRow());
      delete.setAttribute("evenkey.raw", new byte[0]);
      index.delete(delete);
    }
    Run found = run("index", "verify", table, "by_customer");
    assertThat(found.exit()).isNotZero();
    assertThat(found.out()).contains("1 without their entry").contains("missing").contains("id=");
    assertThat(found.err())
        .contains("missing=1; missing: a repair (--repair) adds their entries")
        .doesNotContain("unfit");
    assertThat(done("index", "verify", table, "by_customer", "--repair").out())
        .contains("1 entry added");
    assertThat(done("index", "verify", table, "by_customer").out())
        .contains("0 without their entry");
  }

  @Test
  void mistakesAreNamedWithTheirPlaceAndRemedy() {
    assertThat(run("index", "add", table, "by_x", "salt(4) + x:string").err())
        .contains("field that is neither of the table's key nor from a column")
        .contains("x=family:qualifier");
    assertThat(run("index", "add", table, "by_x", "salt(4) + x:strin", "--from", "x=d:x").err())
        .contains("strin");
    assertThat(run("index", "add", table, "by_x", "salt(4) + x:string", "--from", "x=dx").err())
        .contains("x=dx");
    assertThat(run("index", "add", table, table, "salt(4) + x:string", "--from", "x=d:x").err())
        .contains("index has the name of its table", "such as by_x");
    assertThat(run("index", "add", table, "g2", "salt(4) + x:string", "--from", "x=d:x").err())
        .contains("name that a generation of the table can have");
    assertThat(run("index", "verify", table, "by_x").err()).contains("no such index");
    assertThat(run("index", "drop", table, "by_x").err()).contains("no such index");
    assertThat(done("index", "list", table).out()).contains("no indexes");
  }
}
