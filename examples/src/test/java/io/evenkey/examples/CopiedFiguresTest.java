/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** README and the comparison repeat ratios of the benchmarks: above 1 is faster there. */
class CopiedFiguresTest {
  /** What rounding to two digits may change, in times too, whose inverse is repeated. */
  private static final double ROUNDED = 0.0055;

  @ParameterizedTest
  @CsvSource({
    "full ordered scan, full",
    "'a tenth of the table, backwards', reversed_10pct",
    "1 % of the table, range_1pct",
    "eight readers of 1 % at once, concurrent_8",
    "`LIMIT 10` over all buckets, limit_10",
    "`LIMIT 1000` over all buckets, limit_1000",
    "'newest 20 of a device, salt over the whole key', newest_20",
    "'newest 20 of a device, `salt(16, device)`', newest_20_affine",
  })
  void readmeHasTheRatiosOfTheBenchmarks(String task, String name) throws IOException {
    List<String> readme = row("README.md", "## What you gain", "| " + task + " |");

    assertThat(figure(readme.get(1))).isCloseTo(faster("16 buckets", name), within(ROUNDED));
    if (!readme.get(3).isEmpty()) {
      assertThat(figure(readme.get(3))).isCloseTo(faster("256 buckets", name), within(ROUNDED));
    }
  }

  @Test
  void theComparisonHasTheRatiosOfTheBenchmarks() throws IOException {
    for (String[] task :
        new String[][] {
          {"full ordered scan", "full"},
          {"a tenth of the table, backwards", "reversed_10pct"},
          {"1 % of the table", "range_1pct"},
          {"eight readers of 1 % at once", "concurrent_8"},
          {"`LIMIT 10` over all buckets", "limit_10"},
          {"newest 20 rows of a device, salt over the whole key", "newest_20"},
        }) {
      List<String> compared = row("docs/compare.md", "## Measured", "| " + task[0] + " |");
      List<String> measured =
          row("docs/benchmarks.md", "## Hand-written code and Phoenix", "| `" + task[1] + "` |");
      double plain = figure(measured.get(2));
      boolean rate = measured.get(1).equals("rows/s");

      assertThat(figure(compared.get(1)))
          .as(task[0])
          .isCloseTo(inverted(figure(measured.get(6)), rate), within(ROUNDED));
      for (int side = 4; side <= 5; side++) {
        assertThat(figure(compared.get(side - 2)))
            .as(task[0])
            .isCloseTo(inverted(figure(measured.get(side)) / plain, rate), within(ROUNDED));
      }
    }
  }

  private static double faster(String buckets, String name) throws IOException {
    List<String> row = row("docs/benchmarks.md", "| " + buckets + " |", "| `" + name + "` |");
    return inverted(figure(row.get(5)), row.get(1).equals("rows/s"));
  }

  private static double inverted(double ratio, boolean rate) {
    return rate ? ratio : 1 / ratio;
  }

  /** The cells of the first line that begins so, after a line that begins with a heading. */
  private static List<String> row(String file, String heading, String begin) throws IOException {
    String line =
        Files.readAllLines(Documents.ROOT.resolve(file)).stream()
            .dropWhile(each -> !each.startsWith(heading))
            .filter(each -> each.startsWith(begin))
            .findFirst()
            .orElseThrow(() -> new AssertionError(file + " has no row " + begin));
    return Arrays.stream(line.split("\\|", -1)).skip(1).map(String::strip).toList();
  }

  /** The number that a cell begins with, in bold or not. */
  private static double figure(String cell) {
    return Double.parseDouble(cell.replaceAll("[*,]| [k(].*", ""));
  }
}
