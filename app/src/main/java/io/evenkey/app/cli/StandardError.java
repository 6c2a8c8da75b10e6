package io.evenkey.app.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * What libraries find as {@code System.err}: it passes on what they log, and drops stack traces,
 * which HBase's client prints by itself when it cannot scan a table.
 */
final class StandardError extends PrintStream {
  StandardError(OutputStream out) {
    super(out, true, StandardCharsets.UTF_8);
  }

  // Throwable.printStackTrace writes each of its lines so; loggers write bytes.
  @Override
  public void println(Object line) {}
}
