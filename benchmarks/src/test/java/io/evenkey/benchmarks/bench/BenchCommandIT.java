/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.evenkey.client.internal.registry.LayoutRecord;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The output, chart and counts of {@code bench}. No test depends on the machine's speed. */
@Tag("long")
@ExtendWith(EmbeddedHBaseExtension.class)
class BenchCommandIT {
  private static final String[] TINY = {
    "--rows=1000",
    "--buckets=1",
    "--rounds=1",
    "--warm-up=0",
    // How often the client asks whether a table has been created or dropped.
    "-Dhbase.client.pause=10",
    "--json"
  };

  @TempDir private Path directory;

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
            "--sides=client,naive",
            "--chart=" + chart,
            "--json");
    assertThat(run.exit()).as(run.err()).isZero();
    JsonNode document = run.json();
    assertThat(document.get("rows").asInt()).isEqualTo(2000);
    assertThat(document.get("runs")).hasSize(4);
    for (JsonNode one : document.get("runs")) {
      for (String side : new String[] {"plain", "evenkey", "client", "naive", "ratio_to_plain"}) {
        assertThat(one.get(side).asDouble()).as("%s of %s", side, one).isPositive();
      }
      assertThat(one.get("phoenix").isNull()).as("not a side of this run").isTrue();
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
      Run refused = Run.on(hbase, scan);
      assertThat(refused.exit()).isEqualTo(1);
      assertThat(refused.err())
          .endsWith(
              "evenkey: table exists, and is not used: table=bench_evenkey_affine; a comparison"
                  + " creates its own tables and drops them: drop this one if it was left by a"
                  + " comparison that was killed\n");
      assertThat(benchTables(admin)).containsExactly(taken);
    }
    Run.on(hbase, "bench", "get", "--rows=1000", "--buckets=2", "--rounds=1", "--warm-up=0").done();
    try (Admin admin = hbase.connection().getAdmin()) {
      assertThat(benchTables(admin)).containsExactly(taken);
      admin.disableTable(taken);
      admin.deleteTable(taken);
    }
  }

  @Test
  void comparesIndexesAndLeavesNothingOfThem(EmbeddedHBase hbase) throws Exception {
    Run run = Run.on(hbase, arguments("index", TINY)).done();
    List<String> names = new ArrayList<>();
    for (JsonNode one : run.json().get("runs")) {
      String name = one.get("name").asText();
      names.add(name);
      for (String side : new String[] {"plain", "evenkey", "ratio_to_plain"}) {
        assertThat(one.get(side).asDouble()).as("%s of %s", side, one).isPositive();
      }
      assertThat(one.get("naive").isNull())
          .as(name)
          .isEqualTo(name.matches("(un)?covered.*|several.*"));
      JsonNode latency = one.at("/details/evenkey");
      assertThat(latency.has("p50_ms"))
          .as(name)
          .isEqualTo(name.matches(".*_(put|batch|buffered|limit_20)"));
      assertThat(latency.path("p99_ms").asDouble())
          .as(name)
          .isGreaterThanOrEqualTo(latency.path("p50_ms").asDouble());
    }
    assertThat(names)
        .containsExactly(
            "events_put",
            "events_batch",
            "events_buffered",
            "several_put",
            "several_batch",
            "several_buffered",
            "mutable_put",
            "mutable_batch",
            "mutable_buffered",
            "change_put",
            "change_batch",
            "covered_limit_20",
            "covered_range_1000",
            "covered_full",
            "uncovered_limit_20",
            "uncovered_range_1000",
            "uncovered_full");
    assertThat(leftOf(hbase)).isEmpty();
  }

  @Test
  void dropsIndexesIfAComparisonFails(EmbeddedHBase hbase) throws Exception {
    TableName taken = TableName.valueOf("bench_by_hand_second");
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(taken)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
              .build());
      Run refused = Run.on(hbase, arguments("index", TINY));
      assertThat(refused.exit()).isEqualTo(1);
      assertThat(refused.err()).contains("table exists, and is not used: table=" + taken);
      assertThat(leftOf(hbase)).containsExactly(taken);
      admin.disableTable(taken);
      admin.deleteTable(taken);
    }
  }

  /** On an HBase that the user names they are left out. */
  @Test
  void comparesBulkLoadsOfTablesWithIndexes(EmbeddedHBase hbase) throws Exception {
    BenchSettings tiny =
        new BenchSettings(
            new BenchRows(1000),
            List.of(2),
            1,
            Duration.ZERO,
            0,
            DataBlockEncoding.NONE,
            Set.of("naive"));
    List<IndexTask> bulk = IndexTask.all().stream().filter(IndexTask::needsFiles).toList();
    List<BenchRun> measured = new ArrayList<>();
    Bench.Listener listener =
        new Bench.Listener() {
          @Override
          public void begins(int rounds) {
            assertThat(rounds).isEqualTo(1);
          }

          @Override
          public void roundEnded() {}

          @Override
          public void measured(BenchRun run) {
            measured.add(run);
          }
        };
    Configuration configuration = new Configuration(hbase.configuration());
    configuration.setInt(HConstants.HBASE_CLIENT_PAUSE, 10);
    assertThat(Bench.indexes(configuration, tiny, bulk, List.of(), listener))
        .isEqualTo(measured)
        .singleElement()
        .satisfies(run -> assertThat(run.name()).isEqualTo("events_bulk"))
        .satisfies(run -> assertThat(run.figures()).containsOnlyKeys("plain", "evenkey", "naive"));
    assertThat(leftOf(hbase)).isEmpty();
  }

  /** The tables of comparisons that HBase or the registry still has. */
  private static Set<TableName> leftOf(EmbeddedHBase hbase) throws IOException {
    Set<TableName> left = new TreeSet<>();
    try (Admin admin = hbase.connection().getAdmin();
        Registry registry = Registry.open(hbase.configuration())) {
      left.addAll(List.of(benchTables(admin)));
      registry.layouts().all().stream()
          .map(LayoutRecord::table)
          .filter(table -> table.getNameAsString().startsWith("bench_"))
          .forEach(left::add);
      TableName indexed = TableName.valueOf("bench_evenkey");
      registry.indexes().get(indexed, "by_customer").ifPresent(work -> left.add(indexed));
    }
    return left;
  }

  private static TableName[] benchTables(Admin admin) throws IOException {
    return admin.listTableNames(Pattern.compile("bench_.*"));
  }

  @Test
  void aTableThatGrowsIsComparedAndDropped(EmbeddedHBase hbase) throws Exception {
    String[] small = {
      "--rows=2000", "--buckets=2,4", "--rounds=1", "-Dhbase.client.pause=10", "--json"
    };
    JsonNode document = Run.on(hbase, arguments("grow", small)).done().json();
    assertThat(document.get("rewritten_cells").asLong()).isZero();
    assertThat(document.get("longest_write_ms").asDouble()).isPositive();
    assertThat(document.at("/write_skew/mean").asDouble()).isBetween(1.0, 2.0);
    assertThat(document.get("runs")).hasSize(10);
    for (JsonNode run : document.get("runs")) {
      for (String figure : new String[] {"narrow", "wide", "grown", "ratio"}) {
        assertThat(run.get(figure).asDouble()).as("%s of %s", figure, run).isPositive();
      }
    }
    try (Admin admin = hbase.connection().getAdmin()) {
      assertThat(admin.listTableNames(Pattern.compile("bench_.*"))).isEmpty();
    }
    assertThat(Run.on(hbase, "bench", "grow", "--buckets=16").err())
        .contains("give two numbers that differ");
  }
}
