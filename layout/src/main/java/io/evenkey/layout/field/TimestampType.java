/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;
import java.time.Instant;

/**
 * {@code timestamp}: a moment, in milliseconds since 1970-01-01T00:00Z, encoded as {@code int64}:
 * times before 1970 are negative and come first. These are also Phoenix's DATE and TIME.
 *
 * <p>Values are {@link Long}s; {@link Instant}s of whole milliseconds are accepted. As text, see
 * {@link TimeText}.
 */
final class TimestampType implements FieldType {
  private static final long YEAR_0 = -62_167_219_200_000L;
  private static final long YEAR_10000 = 253_402_300_800_000L;

  private static final Numbers NUMBERS =
      new BinaryNumbers(Numbers.Unit.MILLISECOND, Long.BYTES, true);

  static final TimestampType INSTANCE = new TimestampType();

  private TimestampType() {}

  @Override
  public int width() {
    return Long.BYTES;
  }

  @Override
  public Object parse(String text) throws IllegalValue {
    return TimeText.milliseconds(text);
  }

  @Override
  public Object convert(Object value) throws IllegalValue {
    return TimeText.milliseconds(value);
  }

  @Override
  public void write(Object value, KeyBuffer out) {
    writeLong((Long) value, out);
  }

  @Override
  public boolean isSignedLong() {
    return true;
  }

  @Override
  public void writeLong(long value, KeyBuffer out) {
    out.putLong(value ^ Long.MIN_VALUE);
  }

  @Override
  public Object read(byte[] bytes, int offset, int length) {
    return readLong(bytes, offset, length);
  }

  @Override
  public long readLong(byte[] bytes, int offset, int length) {
    return KeyBuffer.longAt(bytes, offset) ^ Long.MIN_VALUE;
  }

  @Override
  public boolean growsWithArrival() {
    return true;
  }

  @Override
  public Numbers numbers() {
    return NUMBERS;
  }

  @Override
  public boolean canHaveSteps() {
    return true;
  }

  /** ISO 8601 in the years in which that has four digits, and milliseconds in others. */
  @Override
  public String display(Object value) {
    long milliseconds = (Long) value;
    return milliseconds >= YEAR_0 && milliseconds < YEAR_10000
        ? Instant.ofEpochMilli(milliseconds).toString()
        : format(value);
  }

  @Override
  public String toString() {
    return "timestamp";
  }
}
