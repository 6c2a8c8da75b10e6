/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import io.evenkey.client.cell.CellType;
import io.evenkey.layout.bytes.ByteText;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.EnumLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.Float16LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.JsonLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.UUIDLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/** Columns of the fields of a Parquet schema that have single values. */
final class ParquetTypes {
  private ParquetTypes() {}

  /** The value of a record, which has one, in a field. */
  @FunctionalInterface
  private interface Value {
    String of(Group record, int field) throws IOException;
  }

  static TypedColumn<Group> column(int field, PrimitiveType type) {
    String name = type.getName();
    LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
    PrimitiveTypeName primitive = type.getPrimitiveTypeName();
    return switch (primitive) {
      case BOOLEAN -> of(name, field, CellType.BOOL, (r, f) -> "" + r.getBoolean(f, 0));
      case FLOAT -> of(name, field, CellType.FLOAT32, (r, f) -> "" + r.getFloat(f, 0));
      case DOUBLE -> of(name, field, CellType.FLOAT64, (r, f) -> "" + r.getDouble(f, 0));
      case INT96 -> of(name, field, CellType.STRING, ParquetTypes::julian);
      case INT32, INT64 -> ofNumber(name, field, primitive == PrimitiveTypeName.INT32, logical);
      case BINARY, FIXED_LEN_BYTE_ARRAY -> ofBytes(name, field, logical);
    };
  }

  private static TypedColumn<Group> ofNumber(
      String name, int field, boolean narrow, @Nullable LogicalTypeAnnotation logical) {
    if (logical instanceof TimestampLogicalTypeAnnotation timestamp) {
      Moments moments = moments(timestamp.getUnit());
      return timestamp.isAdjustedToUTC()
          ? time(name, field, (r, f) -> moments.instant(number(r, f, narrow)), narrow)
          : time(name, field, (r, f) -> moments.local(number(r, f, narrow)), narrow);
    }
    if (logical instanceof TimeLogicalTypeAnnotation time) {
      Moments moments = moments(time.getUnit());
      return time(name, field, (r, f) -> moments.time(number(r, f, narrow)), narrow);
    }
    if (logical instanceof DateLogicalTypeAnnotation) {
      return time(name, field, (r, f) -> Moments.date(number(r, f, narrow)), narrow);
    }
    if (logical instanceof DecimalLogicalTypeAnnotation decimal) {
      int scale = decimal.getScale();
      return of(
          name,
          field,
          CellType.DECIMAL,
          (r, f) -> BigDecimal.valueOf(number(r, f, narrow), scale).toPlainString());
    }
    if (logical instanceof IntLogicalTypeAnnotation number && !number.isSigned()) {
      return ofUnsigned(name, field, number.getBitWidth());
    }
    boolean isShort =
        logical instanceof IntLogicalTypeAnnotation number && number.getBitWidth() <= Short.SIZE;
    CellType cells = isShort ? CellType.INT16 : narrow ? CellType.INT32 : CellType.INT64;
    return of(name, field, cells, (r, f) -> Long.toString(number(r, f, narrow)));
  }

  private static TypedColumn<Group> ofUnsigned(String name, int field, int bits) {
    return switch (bits) {
      case Byte.SIZE -> of(name, field, CellType.INT16, (r, f) -> "" + r.getInteger(f, 0));
      case Short.SIZE -> of(name, field, CellType.INT32, (r, f) -> "" + r.getInteger(f, 0));
      case Integer.SIZE ->
          of(name, field, CellType.INT64, (r, f) -> Integer.toUnsignedString(r.getInteger(f, 0)));
      // No type of cells in HBase's own encoding has all of them but this.
      default ->
          of(name, field, CellType.DECIMAL, (r, f) -> Long.toUnsignedString(r.getLong(f, 0)));
    };
  }

  private static TypedColumn<Group> ofBytes(
      String name, int field, @Nullable LogicalTypeAnnotation logical) {
    if (logical instanceof StringLogicalTypeAnnotation
        || logical instanceof EnumLogicalTypeAnnotation
        || logical instanceof JsonLogicalTypeAnnotation) {
      return of(
          name, field, CellType.STRING, (r, f) -> Utf8.text(r.getBinary(f, 0).toByteBuffer()));
    }
    if (logical instanceof DecimalLogicalTypeAnnotation decimal) {
      int scale = decimal.getScale();
      return of(name, field, CellType.DECIMAL, (r, f) -> decimal(bytes(r, f), scale));
    }
    if (logical instanceof UUIDLogicalTypeAnnotation) {
      return of(name, field, CellType.STRING, (r, f) -> AvroTypes.uuid(bytes(r, f)));
    }
    if (logical instanceof Float16LogicalTypeAnnotation) {
      return TypedColumn.unreadable(name, "numbers of type float16");
    }
    return of(name, field, CellType.BYTES, (r, f) -> ByteText.hex(bytes(r, f)));
  }

  static String decimal(byte[] unscaled, int scale) throws IOException {
    if (unscaled.length == 0) {
      throw new IOException("decimal without a byte: value=0x");
    }
    return new BigDecimal(new BigInteger(unscaled), scale).toPlainString();
  }

  private static Moments moments(TimeUnit unit) {
    return switch (unit) {
      case MILLIS -> Moments.MILLISECONDS;
      case MICROS -> Moments.MICROSECONDS;
      case NANOS -> Moments.NANOSECONDS;
    };
  }

  private static String julian(Group record, int field) {
    ByteBuffer bytes =
        record.getInt96(field, 0).toByteBuffer().duplicate().order(ByteOrder.LITTLE_ENDIAN);
    return Moments.julian(bytes.getLong(), bytes.getInt());
  }

  private static long number(Group record, int field, boolean narrow) {
    return narrow ? record.getInteger(field, 0) : record.getLong(field, 0);
  }

  private static byte[] bytes(Group record, int field) {
    return record.getBinary(field, 0).getBytes();
  }

  private static TypedColumn<Group> of(String name, int field, CellType type, Value text) {
    return TypedColumn.of(name, type, reading(field, text));
  }

  private static TypedColumn<Group> time(String name, int field, Value text, boolean narrow) {
    return TypedColumn.time(
        name, reading(field, text), reading(field, (r, f) -> Long.toString(number(r, f, narrow))));
  }

  private static TypedColumn.Reading<Group> reading(int field, Value text) {
    return record -> record.getFieldRepetitionCount(field) == 0 ? null : text.of(record, field);
  }
}
