package io.evenkey.layout;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values of one record by field name. Immutable; compared by value.
 *
 * <p>Each field type takes and gives one Java class: {@code string} and {@code digits} a {@link
 * String}, {@code int64} and {@code timestamp} (milliseconds since 1970) a {@link Long}.
 */
public final class Values {
  private final Map<String, Object> byName;

  private Values(Map<String, Object> byName) {
    this.byName = byName;
  }

  /** The values of a map, in its order. */
  public static Values of(Map<String, ?> byName) {
    return new Values(Collections.unmodifiableMap(new LinkedHashMap<>(byName)));
  }

  /** One value. */
  public static Values of(String name, Object value) {
    return of(Map.of(name, value));
  }

  /** These values and one more, or another one for the same field. */
  public Values and(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(byName);
    more.put(name, value);
    return new Values(Collections.unmodifiableMap(more));
  }

  /** The value of a field, or null if there is none. */
  public @Nullable Object get(String name) {
    return byName.get(name);
  }

  /** All of them, unmodifiable. */
  public Map<String, Object> asMap() {
    return byName;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Values that && byName.equals(that.byName);
  }

  @Override
  public int hashCode() {
    return byName.hashCode();
  }

  @Override
  public String toString() {
    return byName.toString();
  }
}
