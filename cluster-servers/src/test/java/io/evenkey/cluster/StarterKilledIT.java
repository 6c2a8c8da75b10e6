/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No process outlives the one that started the cluster, however that ends. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class StarterKilledIT {
  private final Path directory =
      Path.of(System.getProperty("evenkey.cluster.tests"), "starter").toAbsolutePath();
  private final Processes processes = new Processes(directory);

  @AfterEach
  void clean() throws IOException {
    processes.killAll();
    try (ClusterDirectory left = ClusterDirectory.take(directory)) {
      left.clean(true);
    }
  }

  @Tag("long")
  @Test
  void allProcessesEndWithTheirStarterEvenStoppedOnes() throws Exception {
    Process starter =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-D"
                    + ClusterOptions.CLASS_PATH
                    + "="
                    + System.getProperty(ClusterOptions.CLASS_PATH),
                "-cp",
                System.getProperty("java.class.path"),
                Starter.class.getName(),
                directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = starter.inputReader()) {
      assertThat(out.lines().anyMatch("ready"::equals)).as("the cluster came up").isTrue();
      assertThat(processes.running()).hasSize(5);
      // A process that is stopped by a signal cannot notice anything.
      SeparateCluster.attach(directory).stop(Member.of(Role.MASTER));
    } finally {
      starter.destroyForcibly();
    }
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(processes.running()).isEmpty());
  }
}
