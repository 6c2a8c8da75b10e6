/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A run of {@code evenkey} as a process of its own, which ends here at the latest. */
record RunningCommand(Process process, Path out, Path err) implements AutoCloseable {
  static RunningCommand begin(String... arguments) throws IOException {
    return begin(List.of(), Map.of(), arguments);
  }

  /** With options of Java's, and variables of the environment. */
  static RunningCommand begin(
      List<String> options, Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx512m");
    command.addAll(JavaCommand.smallOptions());
    command.addAll(options);
    command.add(
        "-D" + ClusterOptions.CLASS_PATH + "=" + System.getProperty(ClusterOptions.CLASS_PATH));
    command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
    command.add("-cp");
    command.add(
        String.join(
            File.pathSeparator,
            System.getProperty("evenkey.app.jar"),
            System.getProperty("evenkey.cluster.jar")));
    command.add("io.evenkey.app.Main");
    command.addAll(List.of(arguments));
    Path out = Files.createTempFile("evenkey-", ".out");
    Path err = Files.createTempFile("evenkey-", ".err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().putAll(environment);
    return new RunningCommand(builder.start(), out, err);
  }

  /** What it left, once it has ended by itself. */
  Evenkey end() throws IOException, InterruptedException {
    int exit = process.waitFor();
    return new Evenkey(exit, Files.readString(out), Files.readString(err));
  }

  /** Kills it by SIGKILL; it has to be at work. */
  void kill() throws IOException, InterruptedException {
    assertThat(process.isAlive()).as(() -> "at work: " + text()).isTrue();
    process.destroyForcibly().waitFor();
  }

  private String text() {
    try {
      return end().toString();
    } catch (IOException e) {
      return e.toString();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return e.toString();
    }
  }

  /** A test that is over its time is interrupted. */
  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    Files.deleteIfExists(out);
    Files.deleteIfExists(err);
  }
}
