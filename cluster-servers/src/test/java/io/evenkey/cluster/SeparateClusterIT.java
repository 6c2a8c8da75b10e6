/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Evenkey on servers that are processes of their own: what no embedded HBase can show. */
@Tag("long")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SeparateClusterIT {
  private static final int ROWS = 21_000;

  @RegisterExtension
  private static final ClusterExtension CLUSTER =
      ClusterExtension.in(
          "separate",
          ClusterOptions.defaults()
              .withYarn(false)
              .withClassPath(withEachJar(ClusterOptions.defaults().classPath())));

  private final SeparateCluster cluster;
  private final Connection plain;

  SeparateClusterIT(SeparateCluster cluster, Connection plain) {
    this.cluster = cluster;
    this.plain = plain;
  }

  // As build tools write it: longer than the command line by which Java knows a process.
  private static String withEachJar(String directory) {
    assertThat(directory).endsWith("/*");
    try (Stream<Path> jars = Files.list(Path.of(directory).getParent())) {
      String path = jars.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
      assertThat(path).hasSizeGreaterThan(4096);
      return path;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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
  private List<Integer> serverOf(TableName table) throws IOException {
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
                await()
                    .atMost(Duration.ofMinutes(1))
                    .pollDelay(Duration.ofSeconds(2))
                    .until(() -> true);
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
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () ->
                  assertThat(admin.getClusterMetrics().getLiveServerMetrics().values())
                      .hasSize(3)
                      .allSatisfy(
                          server ->
                              assertThat(server.getCoprocessorNames()).contains("LayoutGuard")));
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
