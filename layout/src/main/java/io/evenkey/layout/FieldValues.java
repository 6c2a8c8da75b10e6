/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.field.UnknownFieldException;
import io.evenkey.layout.field.ValueException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The values of a key's fields, each read as the Java class that the application wants:
 *
 * <pre>{@code
 * String device = reading.getString("device");
 * Instant at = reading.getInstant("ts");
 * }</pre>
 *
 * <p>A conversion is exact or fails: no number is rounded or cut. A method throws an {@link
 * UnknownFieldException} if no field has the name, and a {@link ValueException} if the class cannot
 * hold the value. It returns null if the key has no value for the field, which only keys of Phoenix
 * allow.
 */
public interface FieldValues {
  /** All values by the names of the fields, unmodifiable. */
  Map<String, @Nullable Object> asMap();

  /**
   * Returns a value as a class: the class that {@link Values} lists for the field's type, a wider
   * number, {@link Instant} for milliseconds since 1970, {@code byte[]} for bytes, or {@link
   * String} for any.
   *
   * @param <T> the class
   * @return null if the key has no value for the field
   * @throws UnknownFieldException if no field has this name; lists all names
   * @throws ValueException if the class cannot hold the value exactly
   */
  default <T> @Nullable T get(String field, Class<T> type) {
    Map<String, @Nullable Object> values = asMap();
    Object value = values.get(field);
    if (value == null && !values.containsKey(field)) {
      throw new UnknownFieldException(field, values.keySet());
    }
    return value == null ? null : ValueClass.convert(field, value, type);
  }

  /**
   * Whether the key has no value for the field, which only keys of Phoenix allow.
   *
   * @throws UnknownFieldException if no field has this name
   */
  default boolean isNull(String field) {
    return get(field, Object.class) == null;
  }

  /** The value as text, as a layout's field would read it. See {@link #get(String, Class)}. */
  default @Nullable String getString(String field) {
    return get(field, String.class);
  }

  /** A whole number, or the milliseconds of a time. See {@link #get(String, Class)}. */
  default @Nullable Long getLong(String field) {
    return get(field, Long.class);
  }

  /** A whole number of 32 bits. See {@link #get(String, Class)}. */
  default @Nullable Integer getInt(String field) {
    return get(field, Integer.class);
  }

  /** A whole number of any size. See {@link #get(String, Class)}. */
  default @Nullable BigInteger getBigInteger(String field) {
    return get(field, BigInteger.class);
  }

  /** A number that a double holds exactly. See {@link #get(String, Class)}. */
  default @Nullable Double getDouble(String field) {
    return get(field, Double.class);
  }

  /** A number of any precision. See {@link #get(String, Class)}. */
  default @Nullable BigDecimal getDecimal(String field) {
    return get(field, BigDecimal.class);
  }

  /** A truth value. See {@link #get(String, Class)}. */
  default @Nullable Boolean getBoolean(String field) {
    return get(field, Boolean.class);
  }

  /** A moment, of milliseconds since 1970. See {@link #get(String, Class)}. */
  default @Nullable Instant getInstant(String field) {
    return get(field, Instant.class);
  }

  /** A day. See {@link #get(String, Class)}. */
  default @Nullable LocalDate getDate(String field) {
    return get(field, LocalDate.class);
  }

  /** A UUID. See {@link #get(String, Class)}. */
  default @Nullable UUID getUuid(String field) {
    return get(field, UUID.class);
  }

  /** Bytes. See {@link #get(String, Class)}. */
  default @Nullable ByteString getBytes(String field) {
    return get(field, ByteString.class);
  }
}
