/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.app.MeterPage;
import io.evenkey.report.failure.CodePage;
import io.evenkey.report.failure.ErrorPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The reference pages in {@code docs} are those that the declarations in the code make. With the
 * system property {@code evenkey.reference=write} the test writes them.
 */
class ReferencePagesTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Path COMMANDS = DOCS.resolve("commands");

  @Test
  void pagesAreMadeOfTheDeclarations() throws IOException {
    Map<Path, String> pages = new TreeMap<>();
    pages.put(DOCS.resolve("settings.md"), SettingPage.text());
    pages.put(DOCS.resolve("metrics.md"), MeterPage.text());
    pages.put(DOCS.resolve("errors.md"), ErrorPage.text());
    pages.put(DOCS.resolve("codes.md"), CodePage.text());
    CommandPages.all().forEach((name, text) -> pages.put(COMMANDS.resolve(name), text));
    if ("write".equals(System.getProperty("evenkey.reference"))) {
      write(pages);
    }

    Set<Path> stale = new TreeSet<>();
    for (Map.Entry<Path, String> page : pages.entrySet()) {
      if (!Files.exists(page.getKey())
          || !Files.readString(page.getKey()).equals(page.getValue())) {
        stale.add(page.getKey());
      }
    }
    assertThat(stale)
        .as("pages to write anew, as CONTRIBUTING.md says: -Devenkey.reference=write")
        .isEmpty();
    assertThat(written()).isEqualTo(CommandPages.all().keySet());
  }

  private static Set<String> written() throws IOException {
    try (Stream<Path> files = Files.list(COMMANDS)) {
      return files
          .map(file -> file.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static void write(Map<Path, String> pages) throws IOException {
    Files.createDirectories(COMMANDS);
    for (String name : written()) {
      Files.delete(COMMANDS.resolve(name));
    }
    for (Map.Entry<Path, String> page : pages.entrySet()) {
      Files.writeString(page.getKey(), page.getValue());
    }
  }
}
