/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.query;

import io.evenkey.client.cell.CellType;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.field.FieldType;
import java.time.LocalDate;
import java.util.function.Function;

/**
 * What the values of a column are, for formats with a schema. A type of fields or cells that such
 * formats do not have without loss, as decimals of any scale, is text.
 */
public enum ValueType {
  /** {@link String}. */
  TEXT(text -> text),
  /** {@link Boolean}. */
  BOOL(text -> CellType.BOOL.decode(CellType.BOOL.encode(text))),
  /** {@link Integer}, of 16 bits with the sign. */
  INT16(text -> (int) Short.parseShort(text)),
  /** {@link Integer}. */
  INT32(Integer::valueOf),
  /** {@link Long}. */
  INT64(Long::valueOf),
  /** {@link Float}. */
  FLOAT32(Float::valueOf),
  /** {@link Double}. */
  FLOAT64(Double::valueOf),
  /** {@code byte[]}. */
  BYTES(ByteText::fromHex),
  /** {@link Integer}, days since 1970. */
  DATE(text -> (int) LocalDate.parse(text).toEpochDay()),
  /** {@link Long}, milliseconds since 1970. */
  TIMESTAMP(Long::valueOf),
  /** {@link java.util.UUID}. */
  UUID(java.util.UUID::fromString);

  @SuppressWarnings("ImmutableEnumChecker") // functions without a state
  private final Function<String, Object> parser;

  ValueType(Function<String, Object> parser) {
    this.parser = parser;
  }

  /**
   * The value that a text stands for.
   *
   * @throws IllegalArgumentException if it stands for none
   */
  public Object parse(String text) {
    return parser.apply(text);
  }

  static ValueType of(FieldType type) {
    String name = type.toString();
    return switch (name) {
      case "bool" -> BOOL;
      case "int8", "int16", "uint8" -> INT16;
      case "int32", "uint16", "int" -> INT32;
      case "int64", "uint32", "long" -> INT64;
      case "float32" -> FLOAT32;
      case "float64" -> FLOAT64;
      case "uuid" -> UUID;
      case "timestamp", "timestamp(long)" -> TIMESTAMP;
      case "date" -> DATE;
      default -> name.equals("bytes") || name.startsWith("bytes(") ? BYTES : TEXT;
    };
  }

  /** Returns the type of the values in cells of a type. */
  public static ValueType of(CellType type) {
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
