/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Prose in the English pages has lines that a reader of the source, or of a change, can take in.
 */
class DocumentLinesTest {
  private static final int LONGEST = 120;

  @Test
  void proseHasShortLines() throws IOException {
    List<String> tooLong = new ArrayList<>();
    int read = 0;
    for (Path file : Documents.markdown()) {
      Path name = Documents.ROOT.relativize(file);
      if (isPage(name)) {
        read++;
        tooLong(Files.readAllLines(file), name, tooLong);
      }
    }

    assertThat(read).as("pages read").isGreaterThan(20);
    assertThat(tooLong).isEmpty();
  }

  /** Records of decisions and changes are not rewritten, and Chinese has no blanks to break at. */
  private static boolean isPage(Path name) {
    String text = name.toString();
    return !text.endsWith(Translation.SUFFIX)
        && (text.matches("(README|CONTRIBUTING|SECURITY)\\.md")
            || text.matches("docs/[a-z-]+\\.md"));
  }

  private static void tooLong(List<String> lines, Path name, List<String> found) {
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
