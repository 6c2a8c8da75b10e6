/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each test breaks one thing of a page that is right, and reads the whole message. */
class TranslationTest {
  private static final String ENGLISH =
      """
      # Salts

      [中文](page.zh-CN.md)

      `salt(16)` loads 150,000 rows on three servers, see [keys](keys.md#bytes) and [costs](#costs).

      ## Costs

          ./evenkey demo      # half a minute

      | | 1 bucket | `LIMIT 10` |
      | --- | ---: | ---: |
      | 1 % of −0.50 to 10⁻¹³⁰ | **1.37** | 5.8 million years |

      ```java
      int a = 1;

      int b = 2;
      ```
      """;

  private static final String CHINESE =
      """
      # 加盐

      [English](page.md)

      `salt(16)` 向 3 台服务器写入 150,000 行，参见[键](keys.zh-CN.md#字节)和[代价](#代价)。

      ## 代价

          ./evenkey demo      # half a minute

      | | `LIMIT 10` | 1 个桶 |
      | --- | ---: | ---: |
      | 从 −0.50 到 10⁻¹³⁰ 的 1% | 5,800,000 年 | **1.37** |

      ```java
      int a = 1;

      int b = 2;
      ```
      """;

  @TempDir private Path directory;

  @BeforeEach
  void anotherPageInBothLanguages() throws IOException {
    write("keys.md", "# Keys\n\n## Bytes\n");
    write("keys.zh-CN.md", "# 键\n\n## 字节\n");
  }

  @Test
  void aTranslationWithItsOwnWordsIsRight() throws IOException {
    assertThat(differences(ENGLISH, CHINESE)).isEmpty();
    assertThat(differences(ENGLISH, CHINESE.replace("3 台", "三台"))).isEmpty();
  }

  @Test
  void aMissingEnglishPageIsNamed() throws IOException {
    write("page.zh-CN.md", CHINESE);

    assertThat(translation().differences())
        .containsExactly(
            "page.zh-CN.md: there is no English page page.md; rename or delete the Chinese one");
  }

  @Test
  void bothPagesLinkToTheOtherLanguage() throws IOException {
    assertThat(differences(ENGLISH, CHINESE.replace("[English](page.md)\n", "")))
        .containsExactly(
            "page.zh-CN.md, below the title: there is no line with a link to page.md alone; add it");
    assertThat(differences(ENGLISH.replace("[中文](page.zh-CN.md)\n", ""), CHINESE))
        .containsExactly(
            "page.md, below the title: there is no line with a link to page.zh-CN.md alone; add"
                + " it");
  }

  @Test
  void aHeadingOfAnotherLevelIsNamed() throws IOException {
    assertThat(differences(ENGLISH, CHINESE.replace("## 代价", "### 代价")))
        .containsExactly(
            "page.zh-CN.md, heading 2: it is '### 代价', in English it is '## Costs';"
                + " give both pages the same headings");
  }

  @Test
  void aHeadingTooFewOrTooManyIsNamed() throws IOException {
    assertThat(differences(ENGLISH + "\n## More\n", CHINESE))
        .containsExactly(
            "page.zh-CN.md, heading 3: it is missing, in English it is '## More';"
                + " give both pages the same headings");
    assertThat(differences(ENGLISH, CHINESE + "\n## 更多\n"))
        .containsExactly(
            "page.zh-CN.md, heading 3: it is '## 更多', in English it is missing;"
                + " give both pages the same headings");
  }

  @Test
  void aCodeBlockDiffersByOneByte() throws IOException {
    assertThat(differences(ENGLISH, CHINESE.replace("int b = 2;", "int b = 2; ")))
        .containsExactly(
            "page.zh-CN.md, section '代价' ('Costs' in page.md), code block 2 has 'int b = 2; ',"
                + " in English 'int b = 2;'; copy it from the English page");
    assertThat(differences(ENGLISH, CHINESE.replace("# half a minute", "# 半分钟")))
        .containsExactly(
            "page.zh-CN.md, section '代价' ('Costs' in page.md), code block 1 has"
                + " './evenkey demo      # 半分钟', in English './evenkey demo      # half a minute';"
                + " copy it from the English page");
    assertThat(differences(ENGLISH, CHINESE.replace("```java", "```"))).hasSize(1);
    assertThat(differences(ENGLISH, CHINESE.replace("int b = 2;\n", "int b = 2;\n\n"))).hasSize(1);
  }

  @Test
  void aMissingCodeBlockIsNamed() throws IOException {
    assertThat(differences(ENGLISH + "\n    ls\n", CHINESE))
        .containsExactly(
            "page.zh-CN.md, section '代价' ('Costs' in page.md), 2 code blocks, in English 3;"
                + " copy them from the English page");
  }

  @Test
  void codeWithinSentencesDiffers() throws IOException {
    assertThat(differences(ENGLISH, CHINESE.replace("`salt(16)`", "`salt(8)`")))
        .containsExactly(
            "page.zh-CN.md, section '加盐' ('Salts' in page.md), code within sentences:"
                + " only in English [salt(16)], only in Chinese [salt(8)];"
                + " write the same code in both pages");
  }

  @Test
  void aLinkLeadsToTheEnglishPageThoughThereIsAChineseOne() throws IOException {
    assertThat(differences(ENGLISH, CHINESE.replace("keys.zh-CN.md#字节", "keys.md#bytes")))
        .containsExactly(
            "page.zh-CN.md, section '加盐' ('Salts' in page.md), links:"
                + " only in English [keys.zh-CN.md#], only in Chinese [keys.md#bytes];"
                + " link to the same pages, to the Chinese one if it exists");
  }

  @Test
  void aFigureDiffers() throws IOException {
    assertThat(differences(ENGLISH, CHINESE.replace("150,000", "15,000")))
        .containsExactly(
            "page.zh-CN.md, section '加盐' ('Salts' in page.md), figures:"
                + " only in English [150000], only in Chinese [15000];"
                + " write each figure of the English page in the same digits");
    assertThat(differences(ENGLISH, CHINESE.replace("3 台", "4 台"))).hasSize(1);
    assertThat(differences(ENGLISH, CHINESE.replace("1.37", "1.370"))).hasSize(1);
    assertThat(differences(ENGLISH, CHINESE.replace("1%", "1"))).hasSize(1);
    assertThat(differences(ENGLISH, CHINESE.replace("−0.50", "0.50"))).hasSize(1);
    assertThat(differences(ENGLISH, CHINESE.replace("⁻¹³⁰", "⁻¹³¹"))).hasSize(1);
    assertThat(differences(ENGLISH, CHINESE.replace("5,800,000", "5.8"))).hasSize(1);
  }

  @Test
  void aFigureInAnotherSectionDoesNotCount() throws IOException {
    assertThat(
            differences(
                ENGLISH, CHINESE.replace("150,000 行", "若干行").replace("1 个桶", "1 个桶 150,000")))
        .hasSize(2);
  }

  @Test
  void aFigureThatOccursTwiceIsMissedOnce() throws IOException {
    assertThat(differences(ENGLISH.replace("1 bucket", "1 bucket of 1.37"), CHINESE))
        .containsExactly(
            "page.zh-CN.md, section '代价' ('Costs' in page.md), figures:"
                + " only in English [1.37], only in Chinese [];"
                + " write each figure of the English page in the same digits");
  }

  @Test
  void aFigureWithAUnitOfNumberIsRefused() throws IOException {
    assertThat(differences(ENGLISH, CHINESE.replace("150,000", "15 万")))
        .contains(
            "page.zh-CN.md, section '加盐' ('Salts' in page.md), figures with a unit of number"
                + " [15 万]; write digits alone, 150,000 and not 15 万");
    assertThat(differences(ENGLISH, CHINESE.replace("150,000 行", "150,000 行、十五万行"))).hasSize(1);
  }

  private List<String> differences(String english, String chinese) throws IOException {
    write("page.md", english);
    write("page.zh-CN.md", chinese);
    return translation().differences();
  }

  private Translation translation() {
    return Translation.of(directory, directory.resolve("page.zh-CN.md"));
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(directory.resolve(name), text);
  }
}
