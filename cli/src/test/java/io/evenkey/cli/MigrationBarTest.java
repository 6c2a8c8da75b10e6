/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class MigrationBarTest {
  @Test
  void theBarShowsTheRateOfTheSampling() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(err, true, StandardCharsets.UTF_8);
    try (MigrationBar bar =
        new MigrationBar(new Console(print, print, 0), TableName.valueOf("t"), true)) {
      bar.progress(0.5, 1_000);
    }
    assertThat(err.toString(StandardCharsets.UTF_8))
        .startsWith("sampling t: 50 %")
        .contains("1,000 rows, ", " rows/s")
        .doesNotContain("%/s", "% a second")
        .doesNotContain(" 0 rows/s");
  }

  @Test
  void aFurtherPassGoesOnWhereTheBarIs() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(err, true, StandardCharsets.UTF_8);
    try (MigrationBar bar =
        new MigrationBar(new Console(print, print, 0), TableName.valueOf("t"), true)) {
      bar.progress(0.5, 1);
      assertThat(err.toString(StandardCharsets.UTF_8)).doesNotContain("1 rows");
      bar.progress(1, 1_000);
      bar.progress(0, 5);
      bar.progress(0, 7);
    }
    assertThat(err.toString(StandardCharsets.UTF_8))
        .startsWith("sampling t: 100 %")
        .contains("pass 2: 7 rows, ");
  }
}
