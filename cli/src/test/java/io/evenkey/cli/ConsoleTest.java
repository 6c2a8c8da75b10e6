/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConsoleTest {
  @Test
  void theTerminalIsClearedWhereTextWouldOnlyShowItsControls() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
    Console console = new Console(print, print, 80);
    console.out().print("\033[H");
    console.clear();
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("\\x1b[H" + "\033[H\033[2J\033[3J");
  }

  @ParameterizedTest
  @CsvSource({"80, y, true", "80, YES, true", "80, n, false", "80, '', false", "0, y, false"})
  void aQuestionIsAnsweredAtATerminalOnly(int columns, String typed, boolean confirmed)
      throws IOException {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream((typed + "\n").getBytes(StandardCharsets.UTF_8)));
    System.setProperty("evenkey.input", "true");
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(err, true, StandardCharsets.UTF_8);
    try {
      assertThat(new Console(print, print, columns).confirms("Begin?")).isEqualTo(confirmed);
      assertThat(err.toString(StandardCharsets.UTF_8))
          .isEqualTo(columns == 0 ? "" : "Begin? [y/N] ");
    } finally {
      System.setIn(before);
      System.clearProperty("evenkey.input");
    }
  }
}
