/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The launcher of a source tree, {@code ./evenkey}, when its build fails or is stopped. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LauncherTest {
  @TempDir private Path root;

  @BeforeEach
  void copy() throws IOException {
    Files.writeString(root.resolve("pom.xml"), "<project><nonsense/></project>");
    Path sources = Path.of("..");
    Files.copy(sources.resolve("evenkey"), root.resolve("evenkey"));
    Path library = Files.createDirectories(root.resolve("dist/src/main/lib"));
    Files.copy(sources.resolve("dist/src/main/lib/java.sh"), library.resolve("java.sh"));
  }

  /**
   * A process group of its own, as a terminal makes it for a command. Interrupts end it, also where
   * this test runs in a background job, in which they are ignored.
   */
  private Process start(String mavenOptions) throws IOException {
    ProcessBuilder launcher =
        new ProcessBuilder(
                "bash",
                "-c",
                "set -m; env --default-signal=INT bash ./evenkey --help & echo $!; wait $!")
            .directory(root.toFile())
            .redirectErrorStream(true);
    launcher.environment().put("MAVEN_OPTS", mavenOptions);
    return launcher.start();
  }

  @Test
  void aBuildThatFailsNamesItsErrorsItsExitCodeAndItsLog() throws Exception {
    Process launcher = start("");
    String output = new String(launcher.getInputStream().readAllBytes(), UTF_8);
    assertThat(launcher.waitFor()).isEqualTo(1);
    Path log = root.toRealPath().resolve("app/target/build.log");
    assertThat(output)
        .contains("evenkey: building what is missing", "log: " + log)
        .contains("[ERROR]", "nonsense")
        .contains(
            "evenkey: the build failed: exit=1 log="
                + log
                + "; correct what it names, then try again\n");
    assertThat(log).content().contains("nonsense");
  }

  @Test
  void aBuildThatIsInterruptedEndsWithItsMaven() throws Exception {
    // Maven waits for a debugger.
    Process launcher =
        start("-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0");
    try (BufferedReader output = launcher.inputReader()) {
      long group = Long.parseLong(output.readLine());
      assertThat(output.readLine()).contains("building what is missing");
      Path log = root.resolve("app/target/build.log");
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Files.exists(log) && Files.readString(log).contains("Listening"));
      new ProcessBuilder("bash", "-c", "kill -INT -- -" + group).start().waitFor();
      assertThat(output.readLine())
          .isEqualTo("evenkey: the build was stopped; the same command goes on with it");
      assertThat(launcher.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(launcher.exitValue()).isEqualTo(130);
      assertThat(ProcessHandle.allProcesses())
          .as("no Maven is left")
          .noneMatch(process -> process.info().commandLine().orElse("").contains(root.toString()));
    }
  }
}
