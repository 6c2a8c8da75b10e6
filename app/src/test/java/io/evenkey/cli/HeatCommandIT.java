/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.report.heat.counters.ClusterReadings;
import io.evenkey.report.heat.history.Recorder;
import io.evenkey.report.heat.history.SpanRate;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The heat in the terminal, and the arguments of the portal. */
@ExtendWith(EmbeddedHBaseExtension.class)
class HeatCommandIT {
  private static final Layout LAYOUT = Layout.parse("salt(6) + n:int64");

  /** Writes rows one after the other, as fast as it can, until it is closed. */
  private static final class Writing implements AutoCloseable {
    private final AtomicBoolean stop = new AtomicBoolean();
    private final CompletableFuture<Void> written;

    private Writing(SpreadTable table) {
      written = CompletableFuture.runAsync(() -> write(table));
    }

    static Writing to(SpreadTable table) {
      return new Writing(table);
    }

    boolean isAtWork() {
      return !written.isDone();
    }

    private void write(SpreadTable table) {
      try (SpreadMutator mutator = table.mutator()) {
        byte[] family = {'d'};
        for (long n = 0; !stop.get(); n++) {
          byte[] key = LAYOUT.logicalKey(Values.of("n", n));
          mutator.put(new Put(key).addColumn(family, family, key));
          if (n % 200 == 0) {
            mutator.flush();
            // As many as a map of heat needs, and no more than the machine writes at once.
            Thread.sleep(20);
          }
        }
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {
      stop.set(true);
      written.join();
    }
  }

  @Test
  void heatIsShownByRegionAndKey(EmbeddedHBase hbase) throws Exception {
    String conf = hbase.configurationDirectory().toString();
    String[] heat = {"heat", "heated", "--once", "--every", "4", "--conf", conf};
    try (SpreadTables tables = SpreadTables.on(hbase.connection())) {
      SpreadTable table =
          tables.create(TableName.valueOf("heated"), LAYOUT, LAYOUT.splits(6), List.of("d"));
      try (Writing writing = Writing.to(table)) {
        assertThat(writing.isAtWork()).isTrue();
        // The first reading may be before the table's regions have reported.
        Run one =
            await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> Run.of(heat), run -> run.out().contains("Writes are even: skew 1."));
        assertThat(one.out())
            .startsWith("heated  salt(6) + n:int64\n6 regions")
            .contains("writes [", "FROM bucket · n", "\n3 ");
        JsonNode json = Run.of("heat", "heated", "--json", "--every", "4", "--conf", conf).json();
        assertThat(json.get("tables").get(0).get("regions")).hasSize(6);
        assertThat(json.at("/tables/0/write_skew/mean").asDouble()).isBetween(1.0, 1.5);
        assertThat(Run.of("heat", "--once", "--every", "1", "--conf", conf).out())
            .contains("TABLE", "heated ");
      }
      Run.of("migrate", "heated", "--layout", "salt(3) + n:int64", "--yes", "--conf", conf).done();
      Run.of("migrate", "heated", "--switch", "--conf", conf).done();
      try (Writing writing = Writing.to(table)) {
        assertThat(writing.isAtWork()).isTrue();
        await("the writes are in the next generation")
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(
                () ->
                    assertThat(Run.of(heat).out())
                        .startsWith("heated  salt(3) + n:int64\n")
                        .containsPattern("writes [1-9]"));
        assertThat(Run.of("heat", "--once", "--every", "1", "--conf", conf).out())
            .contains("heated ")
            .doesNotContain("heated.g2");
      }
    }
    assertThat(Run.of("heat", "nothere", "--once", "--every", "1", "--conf", conf).err())
        .isEqualTo(
            "evenkey: no such table, none of its regions is open, or a migration has left it:"
                + " table=nothere\n");
  }

  @Test
  void rowsThatANewTableGotBeforeItsFirstReadingAreCounted(EmbeddedHBase hbase) throws Exception {
    byte[] family = {'d'};
    try (SpreadTables tables = SpreadTables.on(hbase.connection());
        Recorder recorder =
            new Recorder(
                new ClusterReadings(hbase.connection()), Duration.ofSeconds(1), null, false)) {
      recorder.read();
      SpreadTable table =
          tables.create(TableName.valueOf("imported"), LAYOUT, LAYOUT.splits(6), List.of("d"));
      try (SpreadMutator mutator = table.mutator()) {
        for (long n = 0; n < 5_000; n++) {
          byte[] key = LAYOUT.logicalKey(Values.of("n", n));
          mutator.put(new Put(key).addColumn(family, family, key));
        }
      }
      AtomicReference<Double> rows = new AtomicReference<>(0.0);
      await()
          .atMost(Duration.ofSeconds(30))
          .pollInterval(Duration.ofMillis(1_200))
          .untilAsserted(
              () -> {
                long before = Objects.requireNonNull(recorder.last()).at();
                recorder.read();
                long after = Objects.requireNonNull(recorder.last()).at();
                double rate = SpanRate.sum(recorder.now("imported"), SpanRate::writes);
                rows.updateAndGet(all -> all + rate * (after - before) / 1_000);
                assertThat(rows.get()).isBetween(4_900.0, 6_000.0);
              });
    }
  }

  @Tag("long")
  @Test
  void hotKeysOfServersAreSwitchedOnAndShown(EmbeddedHBase hbase) throws Exception {
    String conf = hbase.configurationDirectory().toString();
    byte[] family = {'d'};
    try (SpreadTables tables = SpreadTables.on(hbase.connection())) {
      SpreadTable table =
          tables.create(TableName.valueOf("hotkeyed"), LAYOUT, LAYOUT.splits(6), List.of("d"));
      String[] once = {"heat", "hotkeyed", "--once", "--every", "4", "--conf", conf};
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Run.of(once).out().contains("('evenkey heat hotkeyed --hot-keys on')"));
      assertThat(Run.of("heat", "hotkeyed", "--hot-keys", "1/1", "--conf", conf).out())
          .isEqualTo("hot keys are counted: regions=6 share=1/1\n");
      for (long n = 0; n < 100; n++) {
        byte[] key = LAYOUT.logicalKey(Values.of("n", n % 2 == 0 ? 7 : n));
        table.put(new Put(key).addColumn(family, family, key));
        table.get(new Get(key));
      }
      assertThat(Run.of(once).out())
          .contains("hot keys, as the servers counted all operations in the last ")
          .containsPattern("writes +n=7 +[0-5] +[\\d.]+ +[\\d.]+ +[0-9a-f]{32} +\\S+:\\d+\n")
          .containsPattern("reads +n=7 ");
      JsonNode hot =
          Run.of("heat", "hotkeyed", "--json", "--every", "1", "--conf", conf)
              .json()
              .get("tables")
              .get(0)
              .get("hot_keys");
      assertThat(hot.get("source").asText()).isEqualTo("servers");
      assertThat(hot.get("state").asText()).isEqualTo("counted");
      JsonNode first = hot.get("write_keys").get("items").get(0);
      assertThat(first.get("label").asText()).isEqualTo("n=7");
      assertThat(first.get("per_second").asDouble()).isPositive();
      assertThat(Run.of("heat", "hotkeyed", "--hot-keys", "off", "--conf", conf).out())
          .isEqualTo("hot keys are not counted\n");
    }
  }

  @Test
  void hotKeysAreSetByTableOnly() {
    assertThat(Run.of("heat", "--hot-keys", "on").exit()).isEqualTo(2);
    assertThat(Run.of("heat", "any", "--hot-keys", "often").err())
        .contains("setting of hot keys not understood: often; expected on, off or 1/N");
  }

  @Test
  void portalsAreNotStartedOnInvalidArguments(EmbeddedHBase hbase) {
    String conf = hbase.configurationDirectory().toString();
    for (Map.Entry<List<String>, String> wrong :
        Map.of(
                List.of("portal", "--port", "70000"), "--port",
                List.of("portal", "--every", "0"), "--every",
                List.of("portal", "--identity-header", "X-User"), "belong together",
                List.of("portal", "--token-file", "/nothere"), "no such file",
                List.of("dev", "--port", "-1"), "--port")
            .entrySet()) {
      Run run = Run.of(wrong.getKey().toArray(new String[0]));
      assertThat(run.exit()).as(wrong.toString()).isEqualTo(2);
      assertThat(run.err()).contains(wrong.getValue());
    }
    Run taken = Run.of("portal", "--port", String.valueOf(hbase.zooKeeperPort()), "--conf", conf);
    assertThat(taken.exit()).isEqualTo(1);
    assertThat(taken.err()).contains("portal cannot listen: address=127.0.0.1 port=");
  }
}
