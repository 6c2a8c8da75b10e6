/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonLinesSourceTest {
  private static Map<String, String> read(String line) throws IOException {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    RecordSource source =
        JsonLinesSource.of(Input.stream("a.ndjson", new ByteArrayInputStream(bytes)));
    try (RecordCursor records = source.open()) {
      assertThat(records.next()).isTrue();
      Map<String, String> values = new LinkedHashMap<>();
      for (int i = 0; i < records.columns().size(); i++) {
        if (records.has(i)) {
          values.put(records.columns().get(i), records.value(i));
        }
      }
      assertThat(records.next()).isFalse();
      return values;
    }
  }

  private static void assertRefused(String line, String problem) {
    assertThatThrownBy(() -> read(line))
        .isInstanceOf(InputException.class)
        .hasMessageContaining(problem)
        .hasMessageContaining("file=a.ndjson line=1");
  }

  @Test
  void valuesAreAsTheyAreWritten() throws IOException {
    assertThat(read("{\"a\": -0.0, \"b\":0.0, \"c\":1.50,\"d\":12345678901234567890123}"))
        .containsExactly(
            Map.entry("a", "-0.0"),
            Map.entry("b", "0.0"),
            Map.entry("c", "1.50"),
            Map.entry("d", "12345678901234567890123"));
    assertThat(read("{\"a\":1.5e3,\"b\":-0,\"c\":1e999999999,\"d\":true,\"e\":null,\"f\":\"\"}"))
        .containsExactly(
            Map.entry("a", "1500"),
            Map.entry("b", "-0"),
            Map.entry("c", "1e999999999"),
            Map.entry("d", "true"),
            Map.entry("f", ""));
    assertThat(read("{\"a\":{\"x\": [1.0, -0.0]}, \"b\":[ ],\"\\u00e9\":\"\\ud83d\\ude00\"}"))
        .containsExactly(
            Map.entry("a", "{\"x\": [1.0, -0.0]}"), Map.entry("b", "[ ]"), Map.entry("é", "😀"));
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheFirstRecord() throws IOException {
    assertThat(read("\uFEFF{\"a\":\"\uFEFF\"}")).containsExactly(Map.entry("a", "\uFEFF"));
  }

  @Test
  void aRecordThatIsNotOneObjectIsRefused() {
    assertRefused("{\"a\":1,\"b\":2,\"a\":3}", "Duplicate field 'a'");
    assertRefused("{\"a\":{\"b\":1,\"b\":2}}", "Duplicate field 'b'");
    assertRefused("{\"a\":1}{\"a\":2}", "more than one JSON object");
    assertRefused("[1]", "not a JSON object");
    // The library's own switches are of no use to the person who has the file.
    assertRefused("{", "not JSON: Unexpected end-of-input: expected close marker for Object: file");
    assertRefused("{\"a\":x}", "not JSON: Unrecognized token 'x': was expecting");
    assertRefused("{\"a\":NaN}", "not JSON: Non-standard token 'NaN': file");
    assertRefused("{\"a\":" + "[".repeat(2_000), "exceeds the maximum allowed: file");
    assertRefused("{\"a\":1", "not JSON");
    assertRefused("{\"\\ud83d\":1}", "urrogate pair");
    assertRefused("{\"\\udc00\":1}", "low surrogate");
  }
}
