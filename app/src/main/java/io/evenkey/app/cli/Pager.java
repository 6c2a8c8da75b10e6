package io.evenkey.app.cli;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shows output page by page where it goes to a terminal, with {@code $PAGER} or {@code less}, and
 * passes it on where it does not. Closing waits until the reader has seen enough.
 */
final class Pager implements Closeable {
  /** Set by the launcher if the standard output is a terminal. */
  private static final String ON_TERMINAL = "evenkey.terminal";

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
            // Leaves at once if all fits on one page; cuts long lines; leaves what was shown.
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
      // There is none: then all at once.
      return new Pager(out, null);
    }
  }

  /** Where to write. */
  PrintStream out() {
    return out;
  }

  /** Whether the reader has left. */
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
