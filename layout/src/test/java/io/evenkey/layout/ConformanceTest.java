/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.FieldTypes;
import io.evenkey.layout.field.ValueException;
import io.evenkey.layout.scatter.Scatter;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.spread.Prefixes;
import io.evenkey.layout.text.RowException;
import io.evenkey.layout.text.SyntaxException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The vectors by which a client in any language proves itself; see {@code docs/key-format.md}. */
class ConformanceTest {
  private static final JsonNode VECTORS = read();

  private static JsonNode read() {
    Path file = Path.of(System.getProperty("basedir", "."), "..", "conformance", "vectors.json");
    try {
      return new ObjectMapper().readTree(file.toFile());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Stream<JsonNode> of(String section) {
    List<JsonNode> vectors = new ArrayList<>();
    VECTORS.get(section).forEach(vectors::add);
    return vectors.stream();
  }

  static Stream<JsonNode> rows() {
    return of("rows");
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aRecordHasTheRowOfItsVector(JsonNode vector) {
    Layout layout = Layout.parse(vector.get("layout").textValue());
    Values record = record(layout, vector);
    byte[] row = ByteText.fromHex(vector.get("physical").textValue());
    JsonNode bucket = vector.get("bucket");

    assertThat(ByteText.hex(layout.logicalKey(record)))
        .isEqualTo(vector.get("logical").textValue());
    assertThat(ByteText.hex(layout.encode(record))).isEqualTo(ByteText.hex(row));
    assertThat(layout.decode(row)).isEqualTo(record);
    assertThat(layout.explain(record).bucket())
        .isEqualTo(bucket.isNull() ? OptionalInt.empty() : OptionalInt.of(bucket.intValue()));
    Values again =
        layout.read(
            name -> {
              Field field = layout.fields().get(layout.key().indexOf(name));
              Object value = layout.decode(row).get(name);
              return value == null ? null : field.type().format(value);
            });
    assertThat(again).as("printed and parsed").isEqualTo(record);
  }

  static Stream<JsonNode> free() {
    return of("free");
  }

  @ParameterizedTest
  @MethodSource("free")
  void aRandomSaltGivesTheRowsOfItsVectorAndNoOthers(JsonNode vector) {
    Layout layout = Layout.parse(vector.get("layout").textValue());
    Values record = record(layout, vector);
    Set<String> allowed = new TreeSet<>();
    vector.get("physical_any").forEach(row -> allowed.add(row.textValue()));
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      seen.add(ByteText.hex(layout.encode(record)));
    }
    assertThat(seen).isEqualTo(allowed);
    for (String row : allowed) {
      assertThat(layout.decode(ByteText.fromHex(row))).isEqualTo(record);
    }
  }

  static Stream<JsonNode> refusedValues() {
    return of("refused_values");
  }

  @ParameterizedTest
  @MethodSource("refusedValues")
  void aValueThatNoKeyCanHoldIsRefusedByItsField(JsonNode vector) {
    Layout layout = Layout.parse(vector.get("layout").textValue());
    assertThatThrownBy(() -> layout.encode(record(layout, vector)))
        .isInstanceOfSatisfying(
            ValueException.class,
            e -> assertThat(e.field()).isEqualTo(vector.get("field").textValue()));
  }

  static Stream<JsonNode> refusedLayouts() {
    return of("refused_layouts");
  }

  @ParameterizedTest
  @MethodSource("refusedLayouts")
  void aLineThatIsNoLayoutIsRefused(JsonNode line) {
    assertThatThrownBy(() -> Layout.parse(line.textValue())).isInstanceOf(SyntaxException.class);
  }

  static Stream<JsonNode> refusedRows() {
    return of("refused_rows");
  }

  @ParameterizedTest
  @MethodSource("refusedRows")
  void aRowOfAnotherLayoutIsRefused(JsonNode vector) {
    Layout layout = Layout.parse(vector.get("layout").textValue());
    byte[] row = ByteText.fromHex(vector.get("physical").textValue());
    assertThatThrownBy(() -> layout.decode(row)).isInstanceOf(RowException.class);
  }

  static Stream<JsonNode> ranges() {
    return of("ranges");
  }

  @ParameterizedTest
  @MethodSource("ranges")
  void aConditionIsReadAsTheRangesOfItsVector(JsonNode vector) {
    Layout layout = Layout.parse(vector.get("layout").textValue());
    Where where = layout.where(vector.get("where").textValue());
    Scatter scatter = layout.scatter(where);
    List<KeyRange> expected = new ArrayList<>();
    for (JsonNode range : vector.get("ranges")) {
      expected.add(
          KeyRange.of(
              ByteText.fromHex(range.get(0).textValue()),
              ByteText.fromHex(range.get(1).textValue())));
    }
    List<String> filters = new ArrayList<>();
    vector.get("filters").forEach(filter -> filters.add(filter.textValue()));

    assertThat(scatter.ranges()).isEqualTo(expected);
    assertThat(scatter.ordered()).isEqualTo(vector.get("ordered").booleanValue());
    assertThat(where.residual(scatter.exact())).isEqualTo(filters);
  }

  /** No type and no spread without a vector. */
  @Test
  void everyNameOfTheLanguageIsListed() {
    String lines = String.join("\n", rows().map(v -> v.get("layout").textValue()).toList());
    for (String type : FieldTypes.names()) {
      assertThat(lines).containsPattern(":" + type + "\\b").containsPattern(":" + type + ".* desc");
    }
    for (String prefix : Prefixes.names()) {
      assertThat(lines).contains(prefix + "(");
    }
  }

  private static Values record(Layout layout, JsonNode vector) {
    return layout.read(
        name -> {
          JsonNode value = vector.get("record").get(name);
          return value == null || value.isNull() ? null : value.textValue();
        });
  }
}
