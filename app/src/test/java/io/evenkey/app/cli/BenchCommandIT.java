/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The output, chart and counts of the command. No test depends on the machine's speed. */
@ExtendWith(EmbeddedHBaseExtension.class)
class BenchCommandIT {
  @TempDir private Path directory;

  @Tag("long")
  @Test
  void comparesScansAndReportsTheFiguresOfEachSide() throws Exception {
    Path chart = directory.resolve("chart.svg");
    Run run =
        Run.of(
            "bench",
            "scan",
            "--rows=2000",
            "--buckets=1,4",
            "--rounds=1",
            "--warm-up=0",
            "--only=full,limit_10",
            "--chart=" + chart,
            "--json");
    assertThat(run.exit()).as(run.err()).isZero();
    JsonNode document = run.json();
    assertThat(document.get("rows").asInt()).isEqualTo(2000);
    assertThat(document.get("runs")).hasSize(4);
    for (JsonNode one : document.get("runs")) {
      for (String side : new String[] {"plain", "evenkey", "naive", "ratio_to_plain"}) {
        assertThat(one.get(side).asDouble()).as("%s of %s", side, one).isPositive();
      }
      assertThat(one.get("phoenix").isNull()).as("not on this class path").isTrue();
    }
    JsonNode limited = document.at("/runs/3");
    assertThat(limited.get("name").asText()).isEqualTo("limit_10");
    // Each of 4 buckets returns 8 rows; the scan returns 10 of them.
    assertThat(limited.at("/details/evenkey/fetched_rows_per_row").asDouble()).isBetween(1.0, 3.2);
    assertThat(Files.readString(chart)).startsWith("<svg").contains("limit_10, ms");
  }

  @Test
  void comparesPutsAndGets(EmbeddedHBase hbase) throws Exception {
    String[] small = {
      "--rows=2000", "--buckets=" + hbase.servers().size(), "--rounds=1", "--warm-up=0", "--json"
    };
    Run puts = Run.on(hbase, arguments("put", small)).done();
    JsonNode buffered = puts.json().at("/runs/0");
    assertThat(buffered.get("name").asText()).isEqualTo("put_buffered");
    // One bucket on each server.
    assertThat(buffered.at("/details/evenkey/server_skew").asDouble()).isBetween(1.0, 1.2);
    Run gets = Run.on(hbase, arguments("get", small)).done();
    assertThat(gets.json().get("runs")).hasSize(2);
  }

  private static String[] arguments(String operation, String[] options) {
    return Stream.concat(Stream.of("bench", operation), Arrays.stream(options))
        .toArray(String[]::new);
  }

  @Test
  void leavesAClusterThatTheUserNamesAsItWas(EmbeddedHBase hbase) throws Exception {
    String[] scan = {
      "bench",
      "scan",
      "--rows=2000",
      "--buckets=2",
      "--rounds=1",
      "--warm-up=0",
      "--only=limit_10",
      "--json"
    };
    Run run = Run.on(hbase, scan).done();
    assertThat(run.json().get("servers").asInt()).isEqualTo(hbase.servers().size());
    TableName taken = TableName.valueOf("bench_evenkey_affine");
    try (Admin admin = hbase.connection().getAdmin()) {
      assertThat(benchTables(admin)).isEmpty();
      admin.createTable(
          TableDescriptorBuilder.newBuilder(taken)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
              .build());
      assertThat(Run.on(hbase, scan))
          .satisfies(
              Run.failed(
                  "table exists, and is not used: table=bench_evenkey_affine; a comparison creates"
                      + " its own tables and drops them: drop this one if it was left by a"
                      + " comparison that was killed"));
      assertThat(benchTables(admin)).containsExactly(taken);
    }
    Run.on(hbase, "bench", "get", "--rows=1000", "--buckets=2", "--rounds=1", "--warm-up=0").done();
    try (Admin admin = hbase.connection().getAdmin()) {
      assertThat(benchTables(admin)).containsExactly(taken);
      admin.disableTable(taken);
      admin.deleteTable(taken);
    }
  }

  private static TableName[] benchTables(Admin admin) throws IOException {
    return admin.listTableNames(Pattern.compile("bench_.*"));
  }

  @Test
  void serversOfAClusterAreNotStarted(EmbeddedHBase hbase) {
    Run run = Run.on(hbase, "bench", "get", "--servers=2");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("--servers is for an HBase in this process");
  }

  @Test
  void refusesWhatItCannotCompare() {
    assertThat(Run.of("bench", "scan", "--buckets=0").err()).contains("--buckets=0");
    assertThat(Run.of("bench", "scan", "--rows=1500").err()).contains("--rows=1500");
    assertThat(Run.of("bench", "scan", "--warm-up=-1").err()).contains("--warm-up=-1");
    Run run = Run.of("bench", "scan", "--only=nothing");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("--only=nothing").contains("limit_1000");
  }
}
