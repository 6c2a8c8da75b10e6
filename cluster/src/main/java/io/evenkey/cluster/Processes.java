/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import io.evenkey.layout.failure.EvenkeyException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * The processes that belong to the cluster of a directory, whichever process started them: the
 * servers, and the containers of YARN. They are known by their command lines.
 */
record Processes(Path directory) {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /**
   * Returns the processes that run now, without this one's parents and programs that show files
   * there.
   */
  Stream<ProcessHandle> running() {
    return ProcessHandle.allProcesses().filter(this::belongs).filter(ProcessHandle::isAlive);
  }

  /** Whether this process is one of the cluster. */
  boolean belongs(ProcessHandle process) {
    String mark = mark(directory);
    // Containers of jobs with options of their own: YARN starts them from its directories.
    String container = directory.resolve(ClusterDirectory.YARN) + "/";
    return process
        .info()
        .arguments()
        .map(
            arguments ->
                Stream.of(arguments)
                    .anyMatch(
                        argument ->
                            argument.equals(mark)
                                || (isContainer(process) && argument.contains(container))))
        .orElse(false);
  }

  private static boolean isContainer(ProcessHandle process) {
    return process
        .info()
        .command()
        .map(command -> command.endsWith("/java") || command.endsWith("/bash"))
        .orElse(false);
  }

  /** The argument that marks a JVM as one of the cluster. */
  static String mark(Path directory) {
    return "-D" + Child.DIRECTORY + "=" + directory;
  }

  /** The process of this number, if it still is one of the cluster. */
  Stream<ProcessHandle> find(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::belongs).stream();
  }

  /**
   * Kills all of them, and returns when they are gone.
   *
   * @throws ClusterException if one of them does not end
   */
  void killAll() throws IOException {
    // A process may start another while it is killed: a NodeManager does.
    List<ProcessHandle> found = running().toList();
    while (!found.isEmpty()) {
      found.forEach(ProcessHandle::destroyForcibly);
      for (ProcessHandle process : found) {
        awaitEnd(process, PATIENCE);
      }
      found = running().toList();
    }
  }

  /** Returns when a process is gone. */
  static void awaitEnd(ProcessHandle process, Duration timeout) throws IOException {
    if (!ends(process, timeout)) {
      throw new ClusterException(
          "process does not end: pid="
              + process.pid()
              + "; end it by hand: kill -9 "
              + process.pid());
    }
  }

  /** Whether a process is gone within this time. */
  static boolean ends(ProcessHandle process, Duration timeout) throws IOException {
    try {
      process.onExit().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new EvenkeyException("cannot wait for a process: pid=" + process.pid(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a process ended: pid=" + process.pid());
    }
  }

  /** Sends a signal to a process, such as STOP. */
  static void signal(ProcessHandle process, String signal) throws IOException {
    Process kill =
        new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (kill.waitFor() != 0) {
        throw new ClusterException(
            "signal was not sent: signal=" + signal + " pid=" + process.pid() + "; it has ended");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a signal was sent");
    }
  }
}
