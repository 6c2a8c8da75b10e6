/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.scatter;

import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.UnknownFieldException;
import io.evenkey.layout.key.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A condition on the fields of a key that is built in Java, so that values need no quotes and no
 * formatting:
 *
 * <pre>{@code
 * Condition newest =
 *     field("device").eq("d1").and(field("ts").atLeast(Instant.parse("2026-01-01T00:00:00Z")));
 * try (KeyedRows rows = events.select().where(newest).open()) {
 *   rows.forEach(this::show);
 * }
 * }</pre>
 *
 * <p>It belongs to no layout yet; names and values are checked when it meets one ({@link
 * Where#of}). Immutable and thread-safe.
 */
public final class Condition {
  private final List<Comparison> comparisons;

  private Condition(List<Comparison> comparisons) {
    this.comparisons = List.copyOf(comparisons);
  }

  static Condition of(Comparison comparison) {
    return new Condition(List.of(comparison));
  }

  /** Names a field, to be compared with values. Made for a static import. */
  public static ConditionField field(String name) {
    return new ConditionField(name);
  }

  /** Returns the condition that both must hold. */
  public Condition and(Condition other) {
    List<Comparison> both = new ArrayList<>(comparisons);
    both.addAll(other.comparisons);
    return new Condition(both);
  }

  Where of(Key key) {
    WhereTerms terms = new WhereTerms(key);
    for (Comparison comparison : comparisons) {
      int index = key.indexOf(comparison.field());
      if (index < 0) {
        throw new UnknownFieldException(
            comparison.field(), key.fields().stream().map(Field::name).toList());
      }
      Field field = key.fields().get(index);
      terms.add(index, comparison.operator(), comparison.encoded(field), comparison.written(field));
    }
    return terms.where();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Condition that && comparisons.equals(that.comparisons);
  }

  @Override
  public int hashCode() {
    return comparisons.hashCode();
  }

  /**
   * The condition as text. {@link Where#parse} reads it if each value's text is one that its field
   * reads.
   */
  @Override
  public String toString() {
    return comparisons.stream().map(Comparison::toString).collect(Collectors.joining(" and "));
  }
}
