/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.ByteText;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.sql.Date;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.schema.SaltingUtil;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDate;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PDouble;
import org.apache.phoenix.schema.types.PFloat;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PLong;
import org.apache.phoenix.schema.types.PSmallint;
import org.apache.phoenix.schema.types.PTinyint;
import org.apache.phoenix.schema.types.PUnsignedLong;
import org.apache.phoenix.schema.types.PVarchar;
import org.apache.phoenix.util.SchemaUtil;
import org.junit.jupiter.api.Test;

/** Rows of a layout with {@code phoenix_salt} beside those that Phoenix's own classes make. */
class PhoenixBytesTest {
  private static final long SEED = Long.getLong("evenkey.seed", 20261121L);

  /** A column type: as a layout spells it, and as Phoenix encodes it. */
  private record Column(String type, PDataType<?> phoenix) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("string", PVarchar.INSTANCE),
          new Column("int64", PLong.INSTANCE),
          new Column("int32", PInteger.INSTANCE),
          new Column("int16", PSmallint.INSTANCE),
          new Column("int8", PTinyint.INSTANCE),
          new Column("uint64", PUnsignedLong.INSTANCE),
          new Column("timestamp", PDate.INSTANCE),
          new Column("decimal", PDecimal.INSTANCE),
          new Column("float64", PDouble.INSTANCE),
          new Column("float32", PFloat.INSTANCE));

  @Test
  void saltsAreThoseOfPhoenix() {
    SplittableRandom random = new SplittableRandom(SEED);
    Layout[] layouts = new Layout[257];
    for (int n = 1; n <= 256; n++) {
      layouts[n] = Layout.parse("phoenix_salt(" + n + ") + k:bytes");
    }
    for (int i = 0; i < 1_000_000; i++) {
      byte[] key = new byte[1 + random.nextInt(40)];
      random.nextBytes(key);
      int buckets = 1 + random.nextInt(256);
      byte expected = SaltingUtil.getSaltingByte(key, 0, key.length, buckets);
      assertThat(layouts[buckets].physical(key)[0]).isEqualTo(expected);
    }
  }

  @Test
  void compositeKeysAreThoseOfPhoenix() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 200_000; i++) {
      int count = 1 + random.nextInt(4);
      int buckets = random.nextInt(1, 257);
      StringBuilder line = new StringBuilder("phoenix_salt(" + buckets + ")");
      Values record = Values.of(java.util.Map.of());
      List<Column> columns = new ArrayList<>();
      List<SortOrder> orders = new ArrayList<>();
      List<Object> values = new ArrayList<>();
      int lastNonNull = random.nextInt(count);
      for (int c = 0; c < count; c++) {
        Column column = COLUMNS.get(random.nextInt(COLUMNS.size()));
        boolean descending = random.nextInt(3) == 0;
        boolean canBeNull = c > lastNonNull || !column.phoenix.isFixedWidth() && c < lastNonNull;
        Object value =
            c > lastNonNull || canBeNull && random.nextInt(3) == 0 ? null : value(column, random);
        line.append(" + c").append(c).append(':').append(column.type);
        line.append(descending ? " desc" : "");
        columns.add(column);
        orders.add(descending ? SortOrder.DESC : SortOrder.ASC);
        values.add(value);
        record = record.and("c" + c, value);
      }
      Layout layout = Layout.parse(line.toString());
      byte[] key = phoenixKey(columns, orders, values);
      byte[] row = layout.encode(record);
      assertThat(ByteText.hex(layout.logicalKey(record)))
          .as("%s %s", layout, record)
          .isEqualTo(ByteText.hex(key));
      assertThat(row[0]).isEqualTo(SaltingUtil.getSaltingByte(key, 0, key.length, buckets));
      assertThat(layout.decode(row)).as("%s", layout).isEqualTo(record);
    }
  }

  private static Object value(Column column, SplittableRandom random) {
    long number = random.nextBoolean() ? random.nextLong() : random.nextInt(-3, 4);
    return switch (column.type) {
      case "string" -> text(random);
      case "int64", "timestamp" -> number;
      case "int32" -> (long) (int) number;
      case "int16" -> (long) (short) number;
      case "int8" -> (long) (byte) number;
      case "uint64" -> BigInteger.valueOf(number & Long.MAX_VALUE);
      case "float64" -> Double.longBitsToDouble(number);
      case "float32" -> Float.intBitsToFloat((int) number);
      default -> decimal(number, random);
    };
  }

  private static String text(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    for (int i = 1 + random.nextInt(8); i > 0; i--) {
      text.appendCodePoint(random.nextInt(3) == 0 ? 0x20 + random.nextInt(0xd000) : 'a');
    }
    return text.toString();
  }

  private static BigDecimal decimal(long number, SplittableRandom random) {
    BigDecimal value = BigDecimal.valueOf(number, random.nextInt(-20, 20));
    if (random.nextInt(4) == 0) {
      value = value.multiply(BigDecimal.valueOf(random.nextLong()));
    }
    if (random.nextInt(8) == 0) {
      value = value.scaleByPowerOfTen(random.nextInt(-60, 60));
    }
    value = value.round(new MathContext(38)).stripTrailingZeros();
    return value.signum() == 0 ? BigDecimal.ZERO : value;
  }

  /** A primary key as Phoenix assembles it, each value and separator by Phoenix's own code. */
  private static byte[] phoenixKey(
      List<Column> columns, List<SortOrder> orders, List<Object> values) {
    int count = values.size();
    while (count > 0 && values.get(count - 1) == null) {
      count--;
    }
    ByteArrayOutputStream key = new ByteArrayOutputStream();
    for (int c = 0; c < count; c++) {
      PDataType<?> type = columns.get(c).phoenix;
      Object value = values.get(c);
      byte[] bytes =
          value == null
              ? new byte[0]
              : type.toBytes(phoenixValue(columns.get(c), value), orders.get(c));
      key.writeBytes(bytes);
      boolean last = c + 1 == count;
      byte separator = SchemaUtil.getSeparatorByte(true, value == null, orders.get(c));
      if (!type.isFixedWidth() && (!last || separator == QueryConstants.DESC_SEPARATOR_BYTE)) {
        key.write(separator);
      }
    }
    return key.toByteArray();
  }

  private static Object phoenixValue(Column column, Object value) {
    return switch (column.type) {
      case "int32" -> ((Long) value).intValue();
      case "int16" -> ((Long) value).shortValue();
      case "int8" -> ((Long) value).byteValue();
      case "uint64" -> ((BigInteger) value).longValue();
      case "timestamp" -> new Date((Long) value);
      default -> value;
    };
  }
}
