/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values of one record by field name: what {@link Layout#encode} takes and {@link
 * Layout#decode} returns.
 *
 * <pre>{@code
 * Values record = Values.of("device", "d1").and("ts", Instant.parse("2026-01-01T00:00:00Z"));
 * long millis = layout.decode(layout.encode(record)).getLong("ts");
 * }</pre>
 *
 * <p>A decoded value has the Java class in this table; {@link FieldValues} returns it as other
 * classes. Encoding also takes other classes that can stand for it, such as {@link
 * java.time.Instant} for a timestamp.
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
 *
 * <p>Immutable; compared by value.
 */
public final class Values implements FieldValues {
  private final Map<String, @Nullable Object> byName;

  private Values(Map<String, @Nullable Object> byName) {
    this.byName = byName;
  }

  /** Returns the values of a map, in its order. The map is copied. */
  public static Values of(Map<String, ? extends @Nullable Object> byName) {
    return new Values(Collections.unmodifiableMap(new LinkedHashMap<>(byName)));
  }

  /** Returns a record with one value; {@link #and} adds others. */
  public static Values of(String name, Object value) {
    return of(Map.of(name, value));
  }

  /** Returns these values with one more, or with another value for a field that has one. */
  public Values and(String name, Object value) {
    Map<String, @Nullable Object> more = new LinkedHashMap<>(byName);
    more.put(name, value);
    return new Values(Collections.unmodifiableMap(more));
  }

  /** Returns the value of a field; null if it has none, and also if no field has this name. */
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
