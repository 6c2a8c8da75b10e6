/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values of one record by field name; {@link FieldValues} has them as other classes. Immutable;
 * compared by value.
 *
 * <p>Each field type gives one Java class, and takes others that can stand for it:
 *
 * <table>
 *   <caption>Java classes</caption>
 *   <tr><td>{@code string}, {@code digits}, {@code hex}, {@code reverse_domain}</td><td>{@link
 *       String}</td></tr>
 *   <tr><td>{@code int8} to {@code int64}, {@code uint8} to {@code uint32}, {@code
 *       timestamp} (milliseconds since 1970)</td><td>{@link Long}</td></tr>
 *   <tr><td>{@code uint64}</td><td>{@link java.math.BigInteger}</td></tr>
 *   <tr><td>{@code float32}, {@code float64}</td><td>{@link Float}, {@link Double}</td></tr>
 *   <tr><td>{@code decimal}</td><td>{@link java.math.BigDecimal} without trailing zeros</td></tr>
 *   <tr><td>{@code bool}, {@code uuid}, {@code date}</td><td>{@link Boolean}, {@link
 *       java.util.UUID}, {@link java.time.LocalDate}</td></tr>
 *   <tr><td>{@code bytes}</td><td>{@link io.evenkey.layout.bytes.ByteString}</td></tr>
 * </table>
 */
public final class Values implements FieldValues {
  private final Map<String, @Nullable Object> byName;

  private Values(Map<String, @Nullable Object> byName) {
    this.byName = byName;
  }

  /** The values of a map, in its order. */
  public static Values of(Map<String, ? extends @Nullable Object> byName) {
    return new Values(Collections.unmodifiableMap(new LinkedHashMap<>(byName)));
  }

  /** One value. */
  public static Values of(String name, Object value) {
    return of(Map.of(name, value));
  }

  /** These values and one more, or another one for the same field. */
  public Values and(String name, Object value) {
    Map<String, @Nullable Object> more = new LinkedHashMap<>(byName);
    more.put(name, value);
    return new Values(Collections.unmodifiableMap(more));
  }

  /** The value of a field; null if it has none, and also if there is no such field. */
  public @Nullable Object get(String name) {
    return byName.get(name);
  }

  @Override
  public Map<String, @Nullable Object> asMap() {
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
