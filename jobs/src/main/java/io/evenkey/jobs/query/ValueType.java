/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.query;

import io.evenkey.client.cell.CellType;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.field.FieldType;
import java.time.LocalDate;

/**
 * What the values of a column are, for formats with a schema. A type of fields or cells that such
 * formats do not have without loss, as decimals of any scale, is text.
 */
public enum ValueType {
  /** {@link String}. */
  TEXT {
    @Override
    Object parsed(String text) {
      return text;
    }
  },
  /** {@link Boolean}. */
  BOOL {
    @Override
    Object parsed(String text) {
      return CellType.BOOL.decode(CellType.BOOL.encode(text));
    }
  },
  /** {@link Integer}, of 16 bits with the sign. */
  INT16 {
    @Override
    Object parsed(String text) {
      return (int) Short.parseShort(text);
    }
  },
  /** {@link Integer}. */
  INT32 {
    @Override
    Object parsed(String text) {
      return Integer.valueOf(text);
    }
  },
  /** {@link Long}. */
  INT64 {
    @Override
    Object parsed(String text) {
      return Long.valueOf(text);
    }
  },
  /** {@link Float}. */
  FLOAT32 {
    @Override
    Object parsed(String text) {
      return Float.valueOf(text);
    }
  },
  /** {@link Double}. */
  FLOAT64 {
    @Override
    Object parsed(String text) {
      return Double.valueOf(text);
    }
  },
  /** {@code byte[]}. */
  BYTES {
    @Override
    Object parsed(String text) {
      return ByteText.fromHex(text);
    }
  },
  /** {@link Integer}, days since 1970. */
  DATE {
    @Override
    Object parsed(String text) {
      return (int) LocalDate.parse(text).toEpochDay();
    }
  },
  /** {@link Long}, milliseconds since 1970. */
  TIMESTAMP {
    @Override
    Object parsed(String text) {
      return Long.valueOf(text);
    }
  },
  /** {@link java.util.UUID}. */
  UUID {
    @Override
    Object parsed(String text) {
      return java.util.UUID.fromString(text);
    }
  };

  abstract Object parsed(String text);

  /**
   * The value that a text stands for.
   *
   * @throws IllegalArgumentException if it stands for none
   */
  public Object parse(String text) {
    return parsed(text);
  }

  static ValueType of(FieldType type) {
    String name = type.toString();
    return switch (name) {
      case "bool" -> BOOL;
      case "int8", "int16", "uint8" -> INT16;
      case "int32", "uint16" -> INT32;
      case "int64", "uint32" -> INT64;
      case "float32" -> FLOAT32;
      case "float64" -> FLOAT64;
      case "uuid" -> UUID;
      case "timestamp" -> TIMESTAMP;
      case "date" -> DATE;
      default -> name.equals("bytes") || name.startsWith("bytes(") ? BYTES : TEXT;
    };
  }

  static ValueType of(CellType type) {
    return switch (type) {
      case STRING, DECIMAL -> TEXT;
      case INT16 -> INT16;
      case INT32 -> INT32;
      case INT64 -> INT64;
      case FLOAT32 -> FLOAT32;
      case FLOAT64 -> FLOAT64;
      case BOOL -> BOOL;
      case BYTES -> BYTES;
    };
  }
}
