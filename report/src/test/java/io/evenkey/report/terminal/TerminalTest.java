/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.terminal;

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
    assertThat(progress(0)).matches("load: 1,000 of 1,000 rows, [0-9.]+ s\\R");
    assertThat(progress(90)).contains("\r", "load", "1,000 of 1,000 rows").endsWith("\n");
  }

  @Test
  void theBarKeepsAThirdOfTheLineWhateverElseThereIsToSay() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    try (Progress bar =
        Progress.of(out, 80, "comparing orders_by_customer_and_day", 123_456_789, " rows")) {
      bar.to(123_456_789, "123,456,789 rows 1,234,567/s skew 1.03");
    }
    for (String line : bytes.toString(StandardCharsets.UTF_8).lines().toList()) {
      String shown = line.replace("\u001b[K", "");
      assertThat(shown.length()).as(shown).isLessThan(80);
      if (!shown.isEmpty()) {
        assertThat(shown.lastIndexOf('│') - shown.indexOf('│')).as(shown).isGreaterThan(25);
      }
    }
  }

  @Test
  void progressInMegabytesHasADecimalBelowTen() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    try (Progress bar = Progress.ofBytes(out, 0, "import t", 400_000)) {
      bar.to(400_000);
    }
    try (Progress bar = Progress.ofBytes(out, 0, "read", 30_577)) {
      bar.to(30_577);
    }
    try (Progress bar = Progress.ofBytes(out, 0, "read", 37)) {
      bar.to(37);
    }
    try (Progress bar = Progress.of(out, 0, "copying t", 100, " %")) {
      bar.to(50, "1,000 rows");
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("import t: 0.4 of 0.4 MB, "),
            line -> assertThat(line).startsWith("read: 30 of 30 kB, "),
            line -> assertThat(line).startsWith("read: 37 of 37 bytes, "),
            line -> assertThat(line).isEqualTo("copying t: 50 %, 1,000 rows"));
  }

  @Test
  void oneUnitIsNamedInTheSingular() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    try (Progress bar = Progress.of(out, 0, "count t", 0, " rows")) {
      bar.to(1);
    }
    try (Progress bar = Progress.of(out, 0, "load", 2, " rows")) {
      bar.to(1);
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("count t: 1 row, "),
            line -> assertThat(line).startsWith("load: 1 of 2 rows"));
  }

  @Test
  void proseIsBrokenBetweenWordsAndCommandsStayWhole() {
    String text = "table differs: table=t; 'evenkey verify t --repair' corrects it";
    assertThat(Prose.wrapped(text, 0)).isEqualTo(text);
    assertThat(Prose.wrapped(text, 30).lines())
        .containsExactly("table differs: table=t;", "'evenkey verify t --repair'", "corrects it");
    assertThat(Prose.wrapped("note      one two three", 16, 10).lines())
        .containsExactly("note      one", "          two", "          three");
    assertThat(Prose.wrapped("a layout\n   ^", 5)).isEqualTo("a layout\n   ^");
  }
}
