/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import io.evenkey.client.cell.CellType;
import java.math.BigDecimal;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/** The types of Spark for the values of cells, and the conversions between them. Stateless. */
final class CellValues {
  private CellValues() {}

  static DataType dataType(CellType type) {
    return switch (type) {
      case STRING -> DataTypes.StringType;
      case INT16 -> DataTypes.ShortType;
      case INT32 -> DataTypes.IntegerType;
      case INT64 -> DataTypes.LongType;
      case FLOAT32 -> DataTypes.FloatType;
      case FLOAT64 -> DataTypes.DoubleType;
      case DECIMAL -> Decimals.USUAL;
      case BOOL -> DataTypes.BooleanType;
      case BYTES -> DataTypes.BinaryType;
    };
  }

  /**
   * The value of a cell as Spark has it inside.
   *
   * @throws IllegalArgumentException if the bytes are no value of the type
   * @throws ArithmeticException if Spark's type cannot hold it
   */
  static Object toSpark(CellType type, byte[] bytes, DataType as) {
    if (type == CellType.BYTES) {
      return bytes;
    }
    Object value = type.decode(bytes);
    return switch (type) {
      case STRING -> UTF8String.fromString((String) value);
      case DECIMAL -> Decimals.toSpark((BigDecimal) value, as);
      default -> value;
    };
  }

  /** The bytes of a cell for a value that Spark has inside. */
  static byte[] toCell(CellType type, Object value) {
    return switch (type) {
      case STRING -> ((UTF8String) value).getBytes();
      case INT16 -> Bytes.toBytes((Short) value);
      case INT32 -> Bytes.toBytes((Integer) value);
      case INT64 -> Bytes.toBytes((Long) value);
      case FLOAT32 -> Bytes.toBytes((Float) value);
      case FLOAT64 -> Bytes.toBytes((Double) value);
      case DECIMAL -> Bytes.toBytes(((Decimal) value).toJavaBigDecimal());
      case BOOL -> Bytes.toBytes((Boolean) value);
      case BYTES -> (byte[]) value;
    };
  }
}
