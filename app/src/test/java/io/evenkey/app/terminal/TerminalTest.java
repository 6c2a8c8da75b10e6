/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TerminalTest {
  private static String progress(int columns) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Progress bar =
        Progress.of(
            new PrintStream(bytes, true, StandardCharsets.UTF_8), columns, "load", 1000, " rows")) {
      bar.to(400);
      bar.to(1000);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aStripShowsEveryValueAboveNothing() {
    assertThat(Shades.strip(new double[] {0, 0.01, 0.25, 0.5, 0.75, 1}, 1)).isEqualTo(" ░░▒▓█");
    assertThat(Shades.strip(new double[] {3, 9}, 3)).isEqualTo("██");
  }

  @Test
  void aBarIsDrawnInEighths() {
    assertThat(Shades.bar(0.5, 4)).isEqualTo("██");
    assertThat(Shades.bar(0.28125, 4)).isEqualTo("█▏");
    assertThat(Shades.bar(0, 4)).isEmpty();
    assertThat(Shades.bar(7, 4)).isEqualTo("████");
    assertThat(Shades.percent(0.0734)).isEqualTo("  7.3 %");
  }

  @Test
  void progressIsABarOnATerminalAndPlainLinesElsewhere() {
    assertThat(progress(0)).matches("load: 1,000 of 1,000 rows, [0-9.]+ s, [0-9,]+ rows/s\\R");
    assertThat(progress(90)).contains("\r", "load", "1000/1000 rows").endsWith("\n");
  }
}
