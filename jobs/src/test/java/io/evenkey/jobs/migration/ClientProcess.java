/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.jobs.schedule.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Two clients of {@link Traffic} in a process of their own, with rows of their own, which a test
 * stops by SIGSTOP for as long as it likes, between any two of its steps.
 */
final class ClientProcess implements AutoCloseable {
  private static final String END = "end";
  private static final long PATIENCE_SECONDS = 300;

  /** HBase's client counts the time in which its process is stopped, which may be a minute. */
  private static final int OPERATION_MS = 600_000;

  private final Process process;
  private final Path output;
  private int pauses;
  private boolean paused;

  private ClientProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  static ClientProcess start(Connection plain, TableName table, long seed) throws IOException {
    Path output = Files.createTempFile("evenkey-clients", ".log");
    Process process =
        ChildJvm.of(
                ClientProcess.class,
                plain.getConfiguration(),
                table.getNameAsString(),
                String.valueOf(seed))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return new ClientProcess(process, output);
  }

  /** The process itself; it ends when it is asked to, with 0 if all is as it was acknowledged. */
  public static void main(String[] arguments) throws Exception {
    Configuration configuration = ChildJvm.configuration(arguments);
    long seed = Long.parseLong(arguments[3]);
    TableName table = TableName.valueOf(arguments[2]);
    try (Traffic traffic = new Traffic(configuration, table, "process-", OPERATION_MS);
        BufferedReader input =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      traffic.start(seed);
      traffic.start(seed + 1);
      if (END.equals(input.readLine())) {
        traffic.check();
      }
    } catch (Exception | AssertionError e) {
      e.printStackTrace();
      System.exit(1);
    }
    System.exit(0);
  }

  /** Stops the process where it is, or lets it go on. */
  synchronized void toggle() throws IOException, InterruptedException {
    signal(paused ? "CONT" : "STOP");
    paused = !paused;
    pauses += paused ? 1 : 0;
  }

  private void signal(String name) throws IOException, InterruptedException {
    List<String> command = List.of("kill", "-" + name, String.valueOf(process.pid()));
    assertThat(process.isAlive()).as(Files.readString(output)).isTrue();
    assertThat(new ProcessBuilder(command).start().waitFor()).as(command.toString()).isZero();
  }

  /** The number of times that it was stopped. */
  synchronized int pauses() {
    return pauses;
  }

  /** Lets it go on, and has it compare what is there with what was acknowledged. */
  synchronized void check() throws IOException, InterruptedException {
    if (paused) {
      toggle();
    }
    try (OutputStream input = process.getOutputStream()) {
      input.write((END + "\n").getBytes(StandardCharsets.UTF_8));
    }
    boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    String text = Files.readString(output);
    assertThat(ended).as("ended: " + text).isTrue();
    assertThat(process.exitValue()).as(text).isZero();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    Files.delete(output);
  }
}
