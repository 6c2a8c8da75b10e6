/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.jobs.migration.MigrationPreview;
import io.evenkey.jobs.split.RowEstimate;
import io.evenkey.layout.Layout;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class PreviewViewTest {
  private static final MigrationPreview PREVIEW =
      new MigrationPreview(
          TableName.valueOf("orders"),
          Layout.parse("id:int64"),
          Layout.parse("salt(6) + id:int64"),
          MigrationPreview.Way.COPY,
          Migration.By.FILES,
          Migration.Fence.GUARD,
          new RowEstimate(7_580, true),
          1,
          1,
          6,
          3,
          Duration.ofSeconds(5),
          Duration.ofMillis(500),
          List.of(),
          List.of(),
          List.of());

  private static List<String> lines(int columns) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
    new PreviewView(print, columns, PREVIEW, null).show();
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void linesBreakAtWordsUnderTheirTextOnATerminalOnly() {
    assertThat(lines(0)).allMatch(line -> line.matches("[a-z]+ +\\S.*"));
    assertThat(lines(80))
        .hasSizeGreaterThan(lines(0).size())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80))
        .allMatch(line -> line.matches("([a-z]+ +| {12})\\S.*"));
  }
}
