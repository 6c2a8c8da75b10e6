/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.scatter;

import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.key.Key;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The comparisons of a {@link Where} while it is made, of a text or of a {@link Condition}. */
final class WhereTerms {
  /** To Phoenix, an empty value is none, and no comparison with it holds. */
  private static final ValueSet NOT_NULL =
      ValueSet.of(List.of(KeyRange.of(new byte[] {0}, new byte[0])));

  private final Key key;
  private final Map<String, ValueSet> allowed = new LinkedHashMap<>();
  private final Map<String, List<String>> written = new LinkedHashMap<>();

  WhereTerms(Key key) {
    this.key = key;
  }

  /**
   * Adds a comparison.
   *
   * @param index the number of its field in the key
   * @param values the ascending forms of the values that are named
   * @param text the comparison as it is written
   */
  void add(int index, Operator operator, List<byte[]> values, String text) {
    Field field = key.fields().get(index);
    ValueSet set = ValueSet.of(operator.ranges(field, values));
    if (key.codecOf(index).isNullable()) {
      set = set.and(NOT_NULL);
    }
    allowed.merge(field.name(), set, ValueSet::and);
    written.computeIfAbsent(field.name(), n -> new ArrayList<>()).add(text);
  }

  Where where() {
    return new Where(key, allowed, written);
  }
}
