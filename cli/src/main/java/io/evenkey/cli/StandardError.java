/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Replaces {@code System.err} for libraries: passes log lines on, and drops the stack traces that
 * HBase's client prints when it cannot scan a table.
 */
final class StandardError extends PrintStream {
  StandardError(OutputStream out) {
    super(out, true, StandardCharsets.UTF_8);
  }

  // Throwable.printStackTrace prints its lines through this method; loggers write bytes.
  @Override
  public void println(Object line) {}
}
