/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import io.evenkey.client.cell.CellType;
import io.evenkey.layout.bytes.ByteText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.apache.avro.Conversions;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.util.Utf8;
import org.jspecify.annotations.Nullable;

/**
 * Columns of the fields of an Avro schema. What a logical type is called is read from the schema's
 * properties, since older versions of the library, which clusters have, do not know each of them.
 */
final class AvroTypes {
  private static final Conversions.BigDecimalConversion SCALED =
      new Conversions.BigDecimalConversion();

  private AvroTypes() {}

  /** A value of a field as text. */
  @FunctionalInterface
  private interface Value {
    String of(Object value) throws IOException;
  }

  static TypedColumn<GenericRecord> column(Schema.Field field) {
    Schema schema = single(field.schema());
    if (schema == null) {
      return TypedColumn.unreadable(name(field), "values of more than one type");
    }
    String logical = String.valueOf(schema.getProp("logicalType"));
    return switch (schema.getType()) {
      case RECORD, ARRAY, MAP, UNION ->
          TypedColumn.unreadable(
              name(field), "nested values of type " + schema.getType().getName());
      case BOOLEAN -> of(field, CellType.BOOL, Object::toString);
      case FLOAT -> of(field, CellType.FLOAT32, Object::toString);
      case DOUBLE -> of(field, CellType.FLOAT64, Object::toString);
      case INT ->
          switch (logical) {
            case "date" -> time(field, value -> Moments.date(number(value)));
            case "time-millis" -> time(field, value -> Moments.MILLISECONDS.time(number(value)));
            default -> of(field, CellType.INT32, Object::toString);
          };
      case LONG -> ofLong(field, logical);
      case STRING, ENUM, NULL -> of(field, CellType.STRING, AvroTypes::text);
      case BYTES, FIXED -> ofBytes(field, schema, logical);
    };
  }

  /** The type of a field that may be null or not; null if it may be more than that. */
  private static @Nullable Schema single(Schema schema) {
    if (!schema.isUnion()) {
      return schema;
    }
    List<Schema> types =
        schema.getTypes().stream().filter(type -> type.getType() != Schema.Type.NULL).toList();
    return types.size() == 1 ? types.get(0) : types.isEmpty() ? schema.getTypes().get(0) : null;
  }

  private static TypedColumn<GenericRecord> ofLong(Schema.Field field, String logical) {
    return switch (logical) {
      case "timestamp-millis" -> time(field, value -> Moments.MILLISECONDS.instant(number(value)));
      case "timestamp-micros" -> time(field, value -> Moments.MICROSECONDS.instant(number(value)));
      case "timestamp-nanos" -> time(field, value -> Moments.NANOSECONDS.instant(number(value)));
      case "local-timestamp-millis" ->
          time(field, value -> Moments.MILLISECONDS.local(number(value)));
      case "local-timestamp-micros" ->
          time(field, value -> Moments.MICROSECONDS.local(number(value)));
      case "local-timestamp-nanos" ->
          time(field, value -> Moments.NANOSECONDS.local(number(value)));
      case "time-micros" -> time(field, value -> Moments.MICROSECONDS.time(number(value)));
      default -> of(field, CellType.INT64, Object::toString);
    };
  }

  private static TypedColumn<GenericRecord> ofBytes(
      Schema.Field field, Schema schema, String logical) {
    boolean fixed = schema.getType() == Schema.Type.FIXED;
    if (logical.equals("decimal")) {
      int scale = schema.getObjectProp("scale") instanceof Number given ? given.intValue() : 0;
      return of(field, CellType.DECIMAL, value -> ParquetTypes.decimal(bytes(value), scale));
    }
    if (logical.equals("big-decimal") && !fixed) {
      return of(
          field,
          CellType.DECIMAL,
          value ->
              SCALED.fromBytes((ByteBuffer) value, schema, schema.getLogicalType()).toString());
    }
    if (logical.equals("uuid") && fixed && schema.getFixedSize() == 2 * Long.BYTES) {
      return of(field, CellType.STRING, value -> uuid(bytes(value)));
    }
    return of(field, CellType.BYTES, value -> ByteText.hex(bytes(value)));
  }

  static String uuid(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new UUID(buffer.getLong(), buffer.getLong()).toString();
  }

  private static TypedColumn<GenericRecord> of(Schema.Field field, CellType type, Value text) {
    return TypedColumn.of(name(field), type, reading(field, text));
  }

  private static TypedColumn<GenericRecord> time(Schema.Field field, Value text) {
    return TypedColumn.time(name(field), reading(field, text), reading(field, Object::toString));
  }

  private static TypedColumn.Reading<GenericRecord> reading(Schema.Field field, Value text) {
    return record -> {
      Object value = record.get(field.pos());
      return value == null ? null : text.of(value);
    };
  }

  private static String name(Schema.Field field) {
    return Objects.requireNonNullElse(field.getProp(Format.AVRO_NAME), field.name());
  }

  private static long number(Object value) {
    return ((Number) value).longValue();
  }

  private static String text(Object value) throws IOException {
    return value instanceof Utf8 utf8
        ? io.evenkey.jobs.records.Utf8.text(
            ByteBuffer.wrap(utf8.getBytes(), 0, utf8.getByteLength()))
        : value.toString();
  }

  private static byte[] bytes(Object value) {
    if (value instanceof GenericFixed fixed) {
      return fixed.bytes();
    }
    ByteBuffer buffer = ((ByteBuffer) value).duplicate();
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
