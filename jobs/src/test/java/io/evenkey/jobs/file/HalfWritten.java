/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.file;

import java.io.IOException;
import java.nio.file.Path;

/** A process that writes a file and does not end well. */
final class HalfWritten {
  private static final int CHUNK = 64 << 10;
  private static final int CHUNKS = 64;

  private HalfWritten() {}

  /**
   * Writes four megabytes.
   *
   * @param arguments the file; {@code halt} to die in the middle
   */
  public static void main(String[] arguments) throws IOException {
    boolean halt = arguments.length > 1;
    try {
      OutputFile.at(Path.of(arguments[0]), true)
          .write(
              out -> {
                for (int i = 0; i < CHUNKS; i++) {
                  out.write(new byte[CHUNK]);
                  if (halt && i == CHUNKS / 2) {
                    Runtime.getRuntime().halt(9);
                  }
                }
                return CHUNKS;
              });
    } catch (IOException e) {
      System.out.println(e.getMessage());
      System.exit(1);
    }
  }
}
