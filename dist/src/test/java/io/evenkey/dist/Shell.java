/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs programs in a directory, with an environment that has only what is named. */
record Shell(Path directory, Map<String, String> environment) {
  private static final long PATIENCE_MINUTES = 10;

  /** The output of a program, and its exit code. */
  record Run(int exit, String out, String err) {}

  /** With the {@code PATH} of this process. */
  static Shell in(Path directory) {
    return new Shell(directory, Map.of("PATH", System.getenv("PATH")));
  }

  Shell with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(environment);
    more.put(name, value);
    return new Shell(directory, more);
  }

  Run run(String... command) throws IOException {
    Path out = Files.createTempFile("out", ".txt");
    Path err = Files.createTempFile("err", ".txt");
    try {
      Process process = start(out, err, command);
      if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new IOException("still running: " + String.join(" ", command));
      }
      return new Run(process.exitValue(), Files.readString(out), Files.readString(err));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted: " + String.join(" ", command), e);
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  Process start(Path out, Path err, String... command) throws IOException {
    // The first word is found on this shell's PATH, and not on that of this process.
    ProcessBuilder builder = new ProcessBuilder(List.of(command));
    Map<String, String> variables = new HashMap<>(environment);
    builder.environment().clear();
    builder.environment().putAll(variables);
    return builder
        .directory(directory.toFile())
        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
        .redirectOutput(out.toFile())
        .redirectError(err.toFile())
        .start();
  }

  /** Whether this machine has a program. */
  static boolean has(String program) throws IOException {
    return in(Path.of(".")).run("/bin/sh", "-c", "command -v " + program).exit() == 0;
  }
}
