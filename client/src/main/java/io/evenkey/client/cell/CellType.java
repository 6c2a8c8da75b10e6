/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.cell;

import io.evenkey.layout.bytes.ByteText;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The types of values in cells, which fix the bytes of a value. They are the bytes of HBase's
 * {@link Bytes}, which HBase's shell and tools read: big-endian, numbers in two's complement. Cell
 * bytes do not sort like the values; the bytes of key fields do.
 *
 * <pre>{@code
 * byte[] cell = CellType.FLOAT64.encode("21.5");
 * double celsius = (Double) CellType.FLOAT64.decode(cell);
 * }</pre>
 */
public enum CellType {
  /** Text in UTF-8. */
  STRING {
    @Override
    byte[] encoded(String text) {
      try {
        ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
        return Bytes.getBytes(utf8);
      } catch (CharacterCodingException e) {
        throw new IllegalArgumentException("has half of a surrogate pair, which is not text", e);
      }
    }

    @Override
    Object decoded(byte[] value) {
      try {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
      } catch (CharacterCodingException e) {
        throw new IllegalArgumentException("not UTF-8", e);
      }
    }
  },
  /** {@link Bytes#toBytes(short)}. */
  INT16(Short.BYTES) {
    @Override
    byte[] encoded(String text) {
      return Bytes.toBytes(Short.parseShort(text));
    }

    @Override
    Object decoded(byte[] value) {
      return Bytes.toShort(value);
    }
  },
  /** {@link Bytes#toBytes(int)}. */
  INT32(Integer.BYTES) {
    @Override
    byte[] encoded(String text) {
      return Bytes.toBytes(Integer.parseInt(text));
    }

    @Override
    Object decoded(byte[] value) {
      return Bytes.toInt(value);
    }
  },
  /** {@link Bytes#toBytes(long)}. */
  INT64(Long.BYTES) {
    @Override
    byte[] encoded(String text) {
      return Bytes.toBytes(Long.parseLong(text));
    }

    @Override
    Object decoded(byte[] value) {
      return Bytes.toLong(value);
    }
  },
  /** {@link Bytes#toBytes(float)}. */
  FLOAT32(Float.BYTES) {
    @Override
    byte[] encoded(String text) {
      float number = Float.parseFloat(text);
      checkFloat(text, number);
      return Bytes.toBytes(number);
    }

    @Override
    Object decoded(byte[] value) {
      return Bytes.toFloat(value);
    }
  },
  /** {@link Bytes#toBytes(double)}. */
  FLOAT64(Double.BYTES) {
    @Override
    byte[] encoded(String text) {
      double number = Double.parseDouble(text);
      checkFloat(text, number);
      return Bytes.toBytes(number);
    }

    @Override
    Object decoded(byte[] value) {
      return Bytes.toDouble(value);
    }
  },
  /** {@link Bytes#toBytes(BigDecimal)}. */
  DECIMAL {
    @Override
    byte[] encoded(String text) {
      return Bytes.toBytes(new BigDecimal(text));
    }

    @Override
    Object decoded(byte[] value) {
      if (value.length <= Integer.BYTES) {
        throw new IllegalArgumentException("too short for a decimal");
      }
      return Bytes.toBigDecimal(value);
    }
  },
  /** {@link Bytes#toBytes(boolean)}. */
  BOOL(1) {
    @Override
    byte[] encoded(String text) {
      if (!text.equals("true") && !text.equals("false")) {
        throw new IllegalArgumentException("neither true nor false");
      }
      return Bytes.toBytes(text.equals("true"));
    }

    @Override
    Object decoded(byte[] value) {
      return Bytes.toBoolean(value);
    }
  },
  /** Bytes as they are; as text, hexadecimal digits. */
  BYTES {
    @Override
    byte[] encoded(String text) {
      return ByteText.fromHex(text);
    }

    @Override
    Object decoded(byte[] value) {
      return ByteText.hex(value);
    }
  };

  private final int width;

  CellType() {
    this(-1);
  }

  CellType(int width) {
    this.width = width;
  }

  abstract byte[] encoded(String text);

  abstract Object decoded(byte[] value);

  /** Refuses what Java takes and few people mean: 1e400 as infinity, 1e-400 as 0, literals. */
  private static void checkFloat(String text, double number) {
    boolean named = text.endsWith("Infinity") || text.endsWith("NaN");
    if (!named && (number == 0 || Double.isInfinite(number) || text.matches(".*[xXdDfF].*"))) {
      boolean zero = new BigDecimal(text.strip()).signum() == 0;
      if (!zero || number != 0) {
        throw new NumberFormatException(text);
      }
    }
  }

  /** Returns the type of a name such as {@code float64}; null if no type has it. */
  public static @Nullable CellType named(String name) {
    for (CellType type : values()) {
      if (type.toString().equals(name)) {
        return type;
      }
    }
    return null;
  }

  /**
   * Returns the bytes of a value that is written as text, such as {@code 21.5} or {@code true}.
   *
   * @throws IllegalArgumentException if the text is not a value of this type; the message does not
   *     repeat the text
   */
  public byte[] encode(String text) {
    try {
      return encoded(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not of type " + this, e);
    }
  }

  /**
   * Returns the value of a cell: a string, a number or a boolean; for {@link #BYTES}, hexadecimal
   * digits.
   *
   * @throws IllegalArgumentException if the bytes are not a value of this type
   */
  public Object decode(byte[] value) {
    if (width >= 0 && value.length != width) {
      throw new IllegalArgumentException(value.length + " bytes, not " + width + " as " + this);
    }
    return decoded(value);
  }

  /** The name that people write. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
