/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The English pages are written so that a reader takes them in at once. */
class DocumentLinesTest {
  private static final int LONGEST = 120;

  /** The bytes of a page that answers one question. */
  private static final int LARGEST = 12 * 1024;

  /** Words of this house that nobody else uses so; {@code CONTRIBUTING.md} has better ones. */
  private static final Pattern DIALECT =
      Pattern.compile(
          "\\b(refused by name|in place of|meanwhile|besides|as before|(that|those) of)\\b",
          Pattern.CASE_INSENSITIVE);

  /** Fenced code, code in the margin, and code within sentences. */
  private static final Pattern CODE =
      Pattern.compile("^```.*?^```|^ {4}[^\\n]*|`[^`]*`", Pattern.DOTALL | Pattern.MULTILINE);

  @Test
  void proseHasShortLines() throws IOException {
    List<String> tooLong = new ArrayList<>();
    List<Path> files = new ArrayList<>(pages());
    files.addAll(matching("docs/decisions/.+\\.md"));
    for (Path file : files) {
      tooLong(Files.readAllLines(file), name(file), tooLong);
    }

    assertThat(tooLong).isEmpty();
  }

  @Test
  void pagesAreShort() throws IOException {
    List<String> tooLarge = new ArrayList<>();
    for (Path file : pages()) {
      if (name(file).startsWith("docs/") && Files.size(file) > LARGEST) {
        tooLarge.add(name(file) + ": " + Files.size(file) + " bytes");
      }
    }

    assertThat(tooLarge).as("pages to split").isEmpty();
  }

  @Test
  void proseHasWordsThatOthersUse() throws IOException {
    List<String> found = new ArrayList<>();
    List<Path> files = new ArrayList<>(pages());
    files.addAll(matching("docs/(decisions|commands)/.+\\.md"));
    for (Path file : files) {
      dialect(Files.readString(file)).forEach(words -> found.add(name(file) + ": " + words));
    }

    assertThat(found).isEmpty();
  }

  @Test
  void dialectIsFoundAcrossLinesAndNotInCode() {
    assertThat(dialect("The scan is refused\nby name. `meanwhile`\n\n    besides\n"))
        .containsExactly("refused by name");
    assertThat(dialect("Those of others, as\n  before.")).containsExactly("Those of", "as before");
  }

  /** The changelog is not rewritten, and Chinese has no blanks to break at. */
  private static List<Path> pages() throws IOException {
    List<Path> pages = matching("(README|CONTRIBUTING|SECURITY)\\.md|docs/[a-z-]+\\.md");
    assertThat(pages).as("pages").hasSizeGreaterThan(40);
    return pages;
  }

  private static List<Path> matching(String names) throws IOException {
    return Documents.markdown().stream()
        .filter(file -> !name(file).endsWith(Translation.SUFFIX) && name(file).matches(names))
        .toList();
  }

  private static String name(Path file) {
    return Documents.ROOT.relativize(file).toString();
  }

  private static List<String> dialect(String page) {
    String prose = CODE.matcher(page).replaceAll(" ").replaceAll("\\s+", " ");
    List<String> found = new ArrayList<>();
    Matcher words = DIALECT.matcher(prose);
    while (words.find()) {
      found.add(words.group());
    }
    return found;
  }

  private static void tooLong(List<String> lines, String name, List<String> found) {
    boolean code = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      code ^= line.startsWith("```");
      boolean prose = !code && !line.startsWith("|") && !line.startsWith("    ");
      if (prose && line.codePointCount(0, line.length()) > LONGEST) {
        found.add(name + ":" + (i + 1));
      }
    }
  }
}
