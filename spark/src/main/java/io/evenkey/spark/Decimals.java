/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import java.math.BigDecimal;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;

/**
 * Decimal numbers, which in Spark have the same number of decimal places in all rows. Stateless.
 */
final class Decimals {
  /** The type where the user names none. */
  static final DecimalType USUAL = DataTypes.createDecimalType(38, 18);

  private Decimals() {}

  /**
   * The number as Spark has it; never rounded.
   *
   * @throws ArithmeticException if the type cannot hold it
   */
  static Decimal toSpark(BigDecimal number, DataType type) {
    DecimalType decimal = (DecimalType) type;
    BigDecimal scaled = number.setScale(decimal.scale());
    if (scaled.precision() > decimal.precision()) {
      throw new ArithmeticException("more digits than " + type.sql() + " has");
    }
    return Decimal.apply(scaled, decimal.precision(), decimal.scale());
  }
}
