/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TranslatedPagesTest {
  @Test
  void chinesePagesSayWhatTheEnglishOnesSay() throws IOException {
    List<String> pages = new ArrayList<>();
    List<String> differences = new ArrayList<>();
    for (Path file : Documents.markdown()) {
      if (file.toString().endsWith(Translation.SUFFIX)) {
        Translation translation = Translation.of(Documents.ROOT, file);
        pages.add(translation.name());
        differences.addAll(translation.differences());
      }
    }

    assertThat(pages)
        .contains("README.zh-CN.md", "docs/guide.zh-CN.md", "docs/layout-language.zh-CN.md");
    assertThat(differences).isEmpty();
  }
}
