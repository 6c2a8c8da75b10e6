/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.cluster.ClusterOptions;
import io.evenkey.cluster.Member;
import io.evenkey.cluster.SeparateCluster;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.IntegrationTestIngest;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.test.IntegrationTestBigLinkedList;
import org.apache.hadoop.hbase.test.IntegrationTestLoadAndVerify;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs HBase's integration tools by their own {@code main} on servers in separate processes. One
 * server is killed during each tool. All tables are salted.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class IntegrationToolsIT {
  private static final String LAYOUT = "salt(4) + key:bytes";
  private static final long NODES = Long.getLong("evenkey.tools.nodes", 400_000);
  private static final int MAPPERS = 2;

  private static SeparateCluster cluster;
  private static Connection plain;

  @TempDir private Path directory;

  @BeforeAll
  static void start() throws IOException {
    Path base = Path.of(System.getProperty("evenkey.cluster.tests"), "integration-tools");
    cluster = SeparateCluster.start(base, ClusterOptions.defaults().withYarn(false).keepingLogs());
    // The judge's own configuration makes every connection a judged one.
    Configuration unjudged = cluster.configuration();
    unjudged.unset(EvenkeyConnection.SETTING);
    plain = ConnectionFactory.createConnection(unjudged);
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      plain.close();
      cluster.close();
    }
  }

  /** Starts a tool in a separate process. */
  private Process start(Class<?> tool, List<String> settings, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx1g");
    command.add("-Djava.net.preferIPv4Stack=true");
    command.add("-Djava.io.tmpdir=" + directory);
    command.add("-Dlogback.configurationFile=" + System.getProperty("evenkey.tools.logback"));
    // HBaseTestingUtility uses reflection on the JDK's classes.
    for (String opened : List.of("java.nio", "java.lang", "java.lang.reflect")) {
      command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
    }
    command.add("-cp");
    // The cluster's file, of the two with this name.
    command.add(
        cluster.configurationDirectory()
            + File.pathSeparator
            + System.getProperty(
                "surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(tool.getName());
    List<String> all = new ArrayList<>(settings);
    all.add(EvenkeyConnection.SETTING + "=" + EvenkeyConnection.class.getName());
    all.add(EvenkeyAsyncConnection.SETTING + "=" + EvenkeyAsyncConnection.class.getName());
    all.add(EvenkeyConnection.DEFAULT_LAYOUT + "=" + LAYOUT);
    all.add("mapreduce.framework.name=local");
    for (String setting : all) {
      command.add("-D");
      command.add(setting);
    }
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(output(tool).toFile())
        .start();
  }

  private static Path output(Class<?> tool) {
    return cluster.directory().resolve("logs").resolve(tool.getSimpleName() + ".log");
  }

  /** Kills a region server after the tool's first writes, and restarts it. */
  private static void killUnder(Process tool, TableName table, int server) throws IOException {
    await().atMost(Duration.ofMinutes(5)).until(() -> !tool.isAlive() || hasRows(table));
    assertThat(tool.isAlive()).as("the tool still runs").isTrue();
    try (Admin admin = plain.getAdmin()) {
      assertThat(admin.getDescriptor(table).getValue(TableLayout.LAYOUT)).isEqualTo(LAYOUT);
    }
    Member victim = Member.regionServer(server);
    cluster.kill(victim);
    assertThat(cluster.process(victim)).as("the region server that was killed").isEmpty();
    cluster.restart(victim);
    assertThat(tool.isAlive()).as("the tool outlives the region server").isTrue();
  }

  private static boolean hasRows(TableName table) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      if (!admin.tableExists(table) || !admin.isTableAvailable(table)) {
        return false;
      }
    }
    try (Table stored = plain.getTable(table);
        ResultScanner scanner = stored.getScanner(new Scan().setLimit(1))) {
      return scanner.next() != null;
    }
  }

  private static String done(Process tool, Class<?> type) throws Exception {
    int exit = tool.waitFor();
    String output = Files.readString(output(type));
    assertThat(exit).as(output.substring(Math.max(0, output.length() - 4_000))).isZero();
    return output;
  }

  /** The highest value of a counter: a job that does not count it reports 0. */
  private static long counter(String output, String name) {
    return Pattern.compile("\\b" + name + "=([0-9]+)")
        .matcher(output)
        .results()
        .mapToLong(found -> Long.parseLong(found.group(1)))
        .max()
        .orElse(0);
  }

  @Test
  void aBigLinkedListHasAllItsNodes() throws Exception {
    Class<?> type = IntegrationTestBigLinkedList.class;
    Process tool =
        start(
            type,
            List.of(),
            "Loop",
            "1",
            Integer.toString(MAPPERS),
            Long.toString(NODES / MAPPERS),
            "/linked-list",
            "2",
            "1000",
            "10");
    killUnder(tool, TableName.valueOf(type.getSimpleName()), 2);
    assertThat(counter(done(tool, type), "REFERENCED")).isEqualTo(NODES);
  }

  @Test
  void loadAndVerifyFindsAllReferences() throws Exception {
    Class<?> type = IntegrationTestLoadAndVerify.class;
    long rows = NODES / 4;
    Process tool =
        start(
            type,
            List.of(
                "loadmapper.table=" + type.getSimpleName(),
                "loadmapper.map.tasks=" + MAPPERS,
                "loadmapper.num_to_write=" + rows / MAPPERS,
                "loadmapper.backrefs=10",
                "loadmapper.numPresplits=6",
                "verify.reduce.tasks=2"),
            "loadAndVerify");
    killUnder(tool, TableName.valueOf(type.getSimpleName()), 3);
    String output = done(tool, type);
    assertThat(counter(output, "ROWS_WRITTEN")).isEqualTo(rows);
    assertThat(counter(output, "REFERENCES_CHECKED")).isPositive();
  }

  @Test
  void ingestReadsBackAllRows() throws Exception {
    Class<?> type = IntegrationTestIngest.class;
    Process tool =
        start(
            type,
            List.of(
                "hbase.IntegrationTestIngest.runtime=60000",
                "IntegrationTestIngest.num_keys_per_server=" + NODES / 1000,
                "IntegrationTestIngest.num_write_threads=4",
                "IntegrationTestIngest.num_read_threads=4"));
    killUnder(tool, TableName.valueOf(type.getSimpleName()), 1);
    done(tool, type);
  }
}
