/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shows output on a terminal through {@code $PAGER} or {@code less}; passes it on unchanged if
 * standard output is not a terminal. Closing waits until the pager ends.
 */
final class Pager implements Closeable {
  /** Whether the standard output is a terminal, as the launcher says. */
  static final String ON_TERMINAL = "evenkey.terminal";

  private final PrintStream out;
  private final @Nullable Process process;

  private Pager(PrintStream out, @Nullable Process process) {
    this.out = out;
    this.process = process;
  }

  static Pager open(PrintStream out, boolean off) {
    if (off || !Boolean.getBoolean(ON_TERMINAL)) {
      return new Pager(out, null);
    }
    String chosen = System.getenv("PAGER");
    List<String> command =
        chosen == null || chosen.isBlank()
            // Exit at once if all fits on one page; cut long lines; keep the shown text on the
            // screen.
            ? List.of("less", "-F", "-S", "-X")
            : List.of("sh", "-c", chosen);
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(Redirect.INHERIT)
              .redirectError(Redirect.INHERIT)
              .start();
      return new Pager(
          new PrintStream(process.getOutputStream(), false, StandardCharsets.UTF_8), process);
    } catch (IOException e) {
      // No pager is installed: print everything at once.
      return new Pager(out, null);
    }
  }

  /** The stream to write to. */
  PrintStream out() {
    return out;
  }

  /** Whether the user has closed the pager. */
  boolean isClosed() {
    return process != null && (out.checkError() || !process.isAlive());
  }

  @Override
  public void close() throws IOException {
    out.flush();
    if (process != null) {
      out.close();
      try {
        process.waitFor();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while output was read");
      }
    }
  }
}
