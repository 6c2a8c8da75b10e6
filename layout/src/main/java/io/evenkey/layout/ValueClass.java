/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.field.IllegalValue;
import io.evenkey.layout.field.ValueException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Java classes as which applications read values. A conversion is exact or refused. Stateless.
 *
 * <p>Whole numbers and decimals are compared by way of {@link BigDecimal}. A decimal such as 0.1 is
 * the double that is printed so.
 */
final class ValueClass {
  private static final Map<Class<?>, Class<?>> BOXED =
      Map.of(
          long.class, Long.class,
          int.class, Integer.class,
          short.class, Short.class,
          byte.class, Byte.class,
          double.class, Double.class,
          float.class, Float.class,
          boolean.class, Boolean.class);

  private static final List<Class<?>> NUMBERS =
      List.of(
          Long.class,
          Integer.class,
          Short.class,
          Byte.class,
          Double.class,
          Float.class,
          BigInteger.class,
          BigDecimal.class);

  private ValueClass() {}

  /** The class whose objects stand for values of a primitive type; any other class itself. */
  @SuppressWarnings("unchecked") // int.class and Integer.class are both of Class<Integer>
  static <T> Class<T> boxed(Class<T> type) {
    return (Class<T>) BOXED.getOrDefault(type, type);
  }

  /**
   * The value as the class.
   *
   * @throws ValueException if the class cannot hold it
   */
  static <T> T convert(String field, Object value, Class<T> type) {
    Class<T> to = boxed(type);
    if (to.isInstance(value)) {
      return to.cast(value);
    }
    Object converted = converted(value, to);
    if (converted == null) {
      throw ValueException.of(
          field,
          value,
          new IllegalValue(
              "a "
                  + value.getClass().getSimpleName()
                  + " that "
                  + type.getSimpleName()
                  + " cannot hold",
              "read it as Object, or as a wider class"));
    }
    return to.cast(converted);
  }

  private static @Nullable Object converted(Object value, Class<?> to) {
    if (to == String.class) {
      return value.toString();
    }
    if (to == byte[].class) {
      return value instanceof ByteString bytes ? bytes.toArray() : null;
    }
    if (to == Instant.class) {
      return value instanceof Long milliseconds ? Instant.ofEpochMilli(milliseconds) : null;
    }
    return value instanceof Number number && NUMBERS.contains(to) ? exact(number, to) : null;
  }

  private static @Nullable Object exact(Number number, Class<?> to) {
    boolean isBinary = number instanceof Float || number instanceof Double;
    if (isBinary && to == Double.class) {
      return number.doubleValue();
    }
    if (isBinary && to == Float.class) {
      float rounded = number.floatValue();
      return Double.compare(rounded, number.doubleValue()) == 0 ? rounded : null;
    }
    try {
      return exact(new BigDecimal(number.toString()), to);
    } catch (ArithmeticException | NumberFormatException e) {
      // A number with a fraction or too many digits; or NaN or an infinity, which no decimal is.
      return null;
    }
  }

  private static @Nullable Object exact(BigDecimal number, Class<?> to) {
    if (to == BigDecimal.class) {
      return number;
    }
    if (to == Double.class) {
      double rounded = number.doubleValue();
      return isSame(number, rounded, Double.toString(rounded)) ? rounded : null;
    }
    if (to == Float.class) {
      float rounded = number.floatValue();
      return isSame(number, rounded, Float.toString(rounded)) ? rounded : null;
    }
    if (to == BigInteger.class) {
      return number.toBigIntegerExact();
    }
    if (to == Long.class) {
      return number.longValueExact();
    }
    if (to == Integer.class) {
      return number.intValueExact();
    }
    return to == Short.class ? (Object) number.shortValueExact() : (Object) number.byteValueExact();
  }

  // 0.1 is no binary fraction, and yet the number that people mean by the double 0.1.
  private static boolean isSame(BigDecimal number, double rounded, String text) {
    return !Double.isInfinite(rounded)
        && (new BigDecimal(text).compareTo(number) == 0
            || new BigDecimal(rounded).compareTo(number) == 0);
  }
}
