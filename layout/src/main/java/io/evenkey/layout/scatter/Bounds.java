package io.evenkey.layout.scatter;

import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.FieldCodec;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a condition allows one field to be: an interval, either end of which may be open.
 *
 * @param lower least value, or null for no limit
 * @param lowerInclusive whether {@code lower} itself is allowed
 * @param upper greatest value, or null for no limit
 * @param upperInclusive whether {@code upper} itself is allowed
 */
record Bounds(
    @Nullable Object lower,
    boolean lowerInclusive,
    @Nullable Object upper,
    boolean upperInclusive) {
  static Bounds exactly(Object value) {
    return new Bounds(value, true, value, true);
  }

  static Bounds atLeast(Object value, boolean inclusive) {
    return new Bounds(value, inclusive, null, false);
  }

  static Bounds atMost(Object value, boolean inclusive) {
    return new Bounds(null, false, value, inclusive);
  }

  /** What both allow. */
  Bounds and(Bounds that, Field field) {
    boolean mine = tighter(field, lower, lowerInclusive, that.lower, that.lowerInclusive, 1);
    boolean myUpper = tighter(field, upper, upperInclusive, that.upper, that.upperInclusive, -1);
    return new Bounds(
        mine ? lower : that.lower,
        mine ? lowerInclusive : that.lowerInclusive,
        myUpper ? upper : that.upper,
        myUpper ? upperInclusive : that.upperInclusive);
  }

  private static boolean tighter(
      Field field,
      @Nullable Object a,
      boolean aInclusive,
      @Nullable Object b,
      boolean bInclusive,
      int direction) {
    if (a == null || b == null) {
      return a != null;
    }
    int order = compare(field, a, b) * direction;
    return order > 0 || order == 0 && (!aInclusive || bInclusive);
  }

  /** Whether nothing is allowed. */
  boolean isEmpty(Field field) {
    if (lower == null || upper == null) {
      return false;
    }
    int order = compare(field, lower, upper);
    return order > 0 || order == 0 && !(lowerInclusive && upperInclusive);
  }

  /** The one value allowed, or null when there may be others. */
  @Nullable Object onlyValue(Field field) {
    return lower != null && upper != null && !isEmpty(field) && compare(field, lower, upper) == 0
        ? lower
        : null;
  }

  // The encoding is order-preserving, so it is the one definition of order that there is.
  private static int compare(Field field, Object a, Object b) {
    return Arrays.compareUnsigned(ascending(field, a), ascending(field, b));
  }

  private static byte[] ascending(Field field, Object value) {
    KeyBuffer out = new KeyBuffer(32);
    FieldCodec.last(new Field(field.name(), field.type(), false)).write(value, out);
    return out.toArray();
  }
}
