/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReadmeTest {
  private static final Path SOURCES = Path.of("src", "main", "java", "io", "evenkey", "examples");
  private static final Pattern SAMPLE = Pattern.compile("```java\n(import .*?)```", Pattern.DOTALL);

  @Test
  void theSampleIsTheExample() throws IOException {
    Matcher sample = SAMPLE.matcher(Files.readString(Path.of("..", "README.md")));
    String source = Files.readString(SOURCES.resolve("NewestReadings.java"));

    assertThat(sample.find()).as("README has a sample that begins with its imports").isTrue();
    assertThat(sample.group(1)).isEqualTo(source.substring(source.indexOf("import ")));
  }

  @Test
  void theDropInExampleUsesHBaseOnly() throws IOException {
    assertThat(Files.readString(SOURCES.resolve("Readings.java")))
        .doesNotContain("import io.evenkey");
  }

  @Test
  void theNewestVersionsAreTheOnesThatTheBuildTries() throws IOException {
    String build = Files.readString(Path.of("..", "pom.xml"));
    Matcher row =
        Pattern.compile("\\| ([0-9.]+-hadoop3) \\| [0-9.]+-hadoop3 \\| `-D([a-z0-9.-]+)=…` \\|")
            .matcher(Files.readString(Path.of("..", "docs", "versions.md")));
    int rows = 0;
    while (row.find()) {
      rows++;
      assertThat(build).contains("<%2$s>%1$s</%2$s>".formatted(row.group(1), row.group(2)));
    }
    assertThat(rows).isEqualTo(4);
  }
}
