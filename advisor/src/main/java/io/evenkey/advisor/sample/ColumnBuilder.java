/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.sample;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fills a column, record by record. Not thread-safe. */
final class ColumnBuilder {
  private final String name;
  private final Map<String, Integer> places = new HashMap<>();
  private final List<String> values = new ArrayList<>();
  private int[] codes = new int[1024];
  private int size;
  private @Nullable String keyType;

  ColumnBuilder(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  void keyType(String type) {
    keyType = type;
  }

  void add(String value) {
    Integer place = places.get(value);
    if (place == null) {
      place = values.size();
      places.put(value, place);
      values.add(value);
    }
    if (size == codes.length) {
      codes = Arrays.copyOf(codes, 2 * size);
    }
    codes[size++] = place;
  }

  /** Leaves out every second record, and the values that no record has any more. */
  void thin() {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < size; i += 2) {
      texts.add(values.get(codes[i]));
    }
    places.clear();
    values.clear();
    size = 0;
    texts.forEach(this::add);
  }

  Column build() {
    String type = ColumnType.infer(name, values);
    return new Column(
        name,
        type,
        keyType != null ? keyType : ColumnType.keyType(type),
        List.copyOf(values),
        Arrays.copyOf(codes, size));
  }
}
