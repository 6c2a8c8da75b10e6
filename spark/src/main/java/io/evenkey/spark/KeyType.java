/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.field.FieldType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/** The types of Spark for the fields of keys, and the conversions between their values. */
enum KeyType {
  /** Text whose order in Spark is that of the keys. */
  TEXT,
  /** Text whose order in Spark is another one, as that of reversed domains. */
  UNSORTED_TEXT,
  BOOLEAN,
  BYTE,
  SHORT,
  INT,
  LONG,
  UNSIGNED_LONG,
  FLOAT,
  DOUBLE,
  DECIMAL,
  BINARY,
  DATE,
  TIMESTAMP;

  private static final int UINT64_DIGITS = 20;

  static KeyType of(FieldType type) {
    String name = type.toString();
    return switch (name) {
      case "bool" -> BOOLEAN;
      case "int8" -> BYTE;
      case "int16", "uint8" -> SHORT;
      case "int32", "uint16", "int" -> INT;
      case "int64", "uint32", "long" -> LONG;
      case "uint64" -> UNSIGNED_LONG;
      case "float32" -> FLOAT;
      case "float64" -> DOUBLE;
      case "decimal" -> DECIMAL;
      case "date" -> DATE;
      case "reverse_domain" -> UNSORTED_TEXT;
      default ->
          name.startsWith("timestamp") ? TIMESTAMP : name.startsWith("bytes") ? BINARY : TEXT;
    };
  }

  /** The type in a schema; of a decimal field the one that users get who name none. */
  DataType dataType() {
    return switch (this) {
      case TEXT, UNSORTED_TEXT -> DataTypes.StringType;
      case BOOLEAN -> DataTypes.BooleanType;
      case BYTE -> DataTypes.ByteType;
      case SHORT -> DataTypes.ShortType;
      case INT -> DataTypes.IntegerType;
      case LONG -> DataTypes.LongType;
      case UNSIGNED_LONG -> DataTypes.createDecimalType(UINT64_DIGITS, 0);
      case FLOAT -> DataTypes.FloatType;
      case DOUBLE -> DataTypes.DoubleType;
      case DECIMAL -> Decimals.USUAL;
      case BINARY -> DataTypes.BinaryType;
      case DATE -> DataTypes.DateType;
      case TIMESTAMP -> DataTypes.TimestampType;
    };
  }

  /** Whether rows in the order of this field are in the order that Spark has for its type. */
  boolean sortsAsSpark() {
    return this != UNSORTED_TEXT;
  }

  /**
   * Whether values that Spark takes for equal are one value in keys: −0.0 and 0.0 are two there.
   */
  boolean equalsAsSpark() {
    return this != FLOAT && this != DOUBLE;
  }

  /**
   * A value of a key as Spark has it inside.
   *
   * @throws ArithmeticException if the type cannot hold it
   */
  Object toSpark(Object value, DataType type) {
    return switch (this) {
      case TEXT, UNSORTED_TEXT -> UTF8String.fromString(value.toString());
      case BYTE -> ((Long) value).byteValue();
      case SHORT -> ((Long) value).shortValue();
      case INT -> ((Long) value).intValue();
      case UNSIGNED_LONG -> Decimals.toSpark(new BigDecimal((BigInteger) value), type);
      case DECIMAL -> Decimals.toSpark((BigDecimal) value, type);
      case BINARY -> ((ByteString) value).toArray();
      case DATE -> (int) ((LocalDate) value).toEpochDay();
      case TIMESTAMP -> Math.multiplyExact((Long) value, TimeUnit.MILLISECONDS.toMicros(1));
      case BOOLEAN, LONG, FLOAT, DOUBLE -> value;
    };
  }

  /**
   * A value that Spark has as a field takes it.
   *
   * @throws ArithmeticException if it is a time with a fraction of a millisecond
   */
  Object toKey(Object value) {
    return switch (this) {
      case TEXT, UNSORTED_TEXT -> value.toString();
      case UNSIGNED_LONG -> ((Decimal) value).toJavaBigDecimal().toBigIntegerExact();
      case DECIMAL -> ((Decimal) value).toJavaBigDecimal();
      case DATE -> LocalDate.ofEpochDay((Integer) value);
      case TIMESTAMP -> milliseconds((Long) value);
      case BOOLEAN, BYTE, SHORT, INT, LONG, FLOAT, DOUBLE, BINARY -> value;
    };
  }

  private static long milliseconds(long micros) {
    long perMilli = TimeUnit.MILLISECONDS.toMicros(1);
    if (micros % perMilli != 0) {
      throw new ArithmeticException("time finer than a millisecond, which keys hold");
    }
    return micros / perMilli;
  }
}
