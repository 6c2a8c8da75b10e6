/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.jobs.load.DuplicateKeyPolicy;
import io.evenkey.jobs.load.LoadOptions;
import io.evenkey.jobs.load.LoadResult;
import io.evenkey.jobs.mapreduce.BulkLoad;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.mapreduce.Job;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Evenkey on servers that are processes of their own: what no embedded HBase can show. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SeparateClusterIT {
  private static final int ROWS = 60_000;

  private static SeparateCluster cluster;
  private static Connection plain;

  @TempDir private Path directory;

  @BeforeAll
  static void start() throws IOException {
    Path base = Path.of(System.getProperty("evenkey.cluster.tests"), "separate");
    ClusterOptions options = ClusterOptions.defaults().keepingLogs();
    cluster = SeparateCluster.start(base, options.withClassPath(withEachJar(options.classPath())));
    plain = ConnectionFactory.createConnection(cluster.configuration());
  }

  // As build tools write it: longer than the command line by which Java knows a process.
  private static String withEachJar(String directory) throws IOException {
    assertThat(directory).endsWith("/*");
    try (Stream<Path> jars = Files.list(Path.of(directory).getParent())) {
      String path = jars.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
      assertThat(path).hasSizeGreaterThan(4096);
      return path;
    }
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      plain.close();
      cluster.close();
      assertThat(cluster.running()).as("processes that are left").isEmpty();
    }
  }

  @Test
  void noRowIsLostWhenARegionServerIsKilledUnderAWriter() throws IOException {
    TableName table = Rows.create(plain, "killed_under_writer");
    Member victim = Member.regionServer(2);
    assertThat(serverOf(table)).as("servers with regions").contains(victim.number());
    try (Connection dropIn = Rows.dropIn(cluster)) {
      Rows.write(
          dropIn,
          table,
          0,
          ROWS,
          rows -> {
            if (rows == ROWS / 3) {
              cluster.kill(victim);
            }
          });
      assertThat(cluster.process(victim)).as("the region server that was killed").isEmpty();
      Rows.assertAll(dropIn, table, ROWS);
    } finally {
      cluster.restart(victim);
    }
  }

  // The numbers of the region servers that have regions of a table.
  private static List<Integer> serverOf(TableName table) throws IOException {
    List<Integer> numbers = new ArrayList<>();
    try (var regions = plain.getRegionLocator(table)) {
      List<Integer> ports =
          regions.getAllRegionLocations().stream().map(region -> region.getPort()).toList();
      for (Member member : cluster.members()) {
        if (member.role() == Role.REGION_SERVER && ports.contains(cluster.port(member))) {
          numbers.add(member.number());
        }
      }
    }
    return numbers;
  }

  @Test
  void aPausedRegionServerDelaysReadersAndLosesNothing() throws Exception {
    TableName table = Rows.create(plain, "paused_server");
    try (Connection dropIn = Rows.dropIn(cluster)) {
      Rows.write(dropIn, table, 0, 3_000, rows -> {});
      Member paused = Member.regionServer(1);
      cluster.stop(paused);
      Thread goOn =
          new Thread(
              () -> {
                // Until the reader waits for it, however long that takes.
                await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
                try {
                  cluster.cont(paused);
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      goOn.start();
      Rows.assertAll(dropIn, table, 3_000);
      goOn.join();
    }
  }

  @Test
  void theGuardIsInTheMasterAndInAllRegionServers() throws IOException {
    Rows.create(plain, "guarded");
    try (Admin admin = plain.getAdmin()) {
      assertThat(admin.getClusterMetrics().getMasterCoprocessorNames()).contains("DescriptorGuard");
      // What servers say with their next report.
      await()
          .untilAsserted(
              () ->
                  assertThat(admin.getClusterMetrics().getLiveServerMetrics().values())
                      .hasSize(3)
                      .allSatisfy(
                          server ->
                              assertThat(server.getCoprocessorNames()).contains("LayoutGuard")));
    }
  }

  @Tag("long")
  @Test
  void aBulkImportRunsAsAJobOnYarn() throws IOException {
    // A reducer a region, each of which is a JVM.
    TableName table = Rows.create(plain, "bulk", 3);
    Configuration configuration = cluster.configuration();
    org.apache.hadoop.fs.Path csv = new org.apache.hadoop.fs.Path("/input/records.csv");
    try (FileSystem files = FileSystem.newInstance(configuration);
        PrintStream out = new PrintStream(files.create(csv), false, StandardCharsets.UTF_8)) {
      out.println("id,v");
      for (int row = 0; row < ROWS; row++) {
        out.printf("%08d,value %d%n", row, row);
      }
    }
    LoadResult result;
    try (SpreadTables tables = SpreadTables.on(plain)) {
      SpreadTable open = tables.open(table);
      result =
          BulkLoad.of(table, open.layout(), List.of(csv), null, options())
              .run(plain, new org.apache.hadoop.fs.Path("/work"), share -> {});
    }
    assertThat(result.rows()).isEqualTo(ROWS);
    assertThat(finishedJobs()).contains("evenkey import bulk");
    try (Connection dropIn = Rows.dropIn(cluster)) {
      Rows.assertAll(dropIn, table, ROWS);
    }
  }

  // Its job came to an end in 5 minutes of a busy machine; comparing the rows did not.
  @Test
  @Tag("full")
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void anApplicationsJobOnYarnUsesHBasesFormatsByTheSettingAlone() throws Exception {
    try (Stream<Path> jars =
        Files.list(Path.of(ClusterOptions.defaults().classPath()).getParent())) {
      assertThat(jars.map(jar -> jar.getFileName().toString()))
          .as("what tasks have without the job's jars")
          .noneMatch(jar -> jar.startsWith("evenkey-client"));
    }
    TableName from = Rows.create(plain, "copied_from", 2);
    TableName into = Rows.create(plain, "copied_into", 3);
    try (Connection dropIn = Rows.dropIn(cluster)) {
      Rows.write(dropIn, from, 0, 3_000, rows -> {});
      Configuration settings = cluster.configuration();
      settings.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
      Job job = CopyRows.job(settings, from, into, directory.resolve("copy-rows.jar"));
      assertThat(job.waitForCompletion(false)).as("job " + job.getTrackingURL()).isTrue();
      assertThat(finishedJobs()).contains(CopyRows.NAME);
      Rows.assertAll(dropIn, into, 3_000);
    }
  }

  private LoadOptions options() {
    return LoadOptions.to(directory.resolve("rejects.csv"), directory.resolve("checkpoint"))
        .onCollision(DuplicateKeyPolicy.FAIL)
        .replace(true)
        .build();
  }

  // The names of jobs that the ResourceManager has seen succeed.
  private static List<String> finishedJobs() throws IOException {
    JsonNode answer;
    try (InputStream in =
        URI.create(
                cluster.webPages().get(Role.RESOURCE_MANAGER)
                    + "ws/v1/cluster/apps?finalStatus=SUCCEEDED")
            .toURL()
            .openStream()) {
      answer = new ObjectMapper().readTree(in);
    }
    List<String> names = new ArrayList<>();
    answer.at("/apps/app").forEach(app -> names.add(app.path("name").asText()));
    return names;
  }

  @Tag("long")
  @Test
  void clientsAndServersAreComparedInProcessesOfTheirOwn() throws Exception {
    Path conf = cluster.directory().resolve("conf");
    JsonNode figures =
        Evenkey.run(
                "bench",
                "scan",
                "--rows=2000",
                "--buckets=4",
                "--rounds=1",
                "--warm-up=0",
                "--only=limit_10",
                "--json",
                "--conf",
                conf.toString())
            .done()
            .json();
    assertThat(figures.get("servers").asInt()).isEqualTo(3);
    assertThat(figures.at("/runs/0/ratio_to_plain").asDouble()).isPositive();
    try (Admin admin = plain.getAdmin()) {
      assertThat(admin.listTableNames()).noneMatch(t -> t.getNameAsString().startsWith("bench_"));
    }
  }

  @Test
  void aDirectoryOfARunningClusterIsRefused() {
    assertThatThrownBy(() -> SeparateCluster.start(cluster.directory(), ClusterOptions.defaults()))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("another process works on the cluster")
        .hasMessageContaining(cluster.directory().toString());
  }
}
