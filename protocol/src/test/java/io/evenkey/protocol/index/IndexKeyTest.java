/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.field.ValueException;
import io.evenkey.layout.text.RowException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IndexKeyTest {
  private static final Layout ORDERS =
      Layout.parse("salt(16) + seller:string + ts:timestamp + order_id:int64");
  private static final ColumnName CUSTOMER = new ColumnName("d", "customer");
  private static final ColumnName AMOUNT = new ColumnName("d", "amount");
  private static final byte[] ROW =
      ORDERS.logicalKey(Values.of("seller", "s1").and("ts", 1_700_000_000_000L).and("order_id", 7));

  private static IndexKey key(String text) {
    return IndexKey.of(ORDERS, TableIndex.parse("by_x events public as " + text));
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String hex(IndexKey key, Map<ColumnName, byte[]> columns) {
    return ByteText.hex(key.entry(ROW, columns::get).orElseThrow());
  }

  @Test
  void aRowThatDoesNotMeetTheConditionHasNoEntry() {
    IndexKey some =
        key(
            "\"customer:string + ts:timestamp\" from customer=d:customer where"
                + " \"customer starts with 'c' and order_id < 10\"");
    assertThat(some.entry(ROW, Map.of(CUSTOMER, text("c1"))::get)).isPresent();
    assertThat(some.entry(ROW, Map.of(CUSTOMER, text("d1"))::get)).isEmpty();
    byte[] tenth = ORDERS.logicalKey(Values.of("seller", "s1").and("ts", 1L).and("order_id", 10));
    assertThat(some.entry(tenth, Map.of(CUSTOMER, text("c1"))::get)).isEmpty();
    assertThatThrownBy(() -> key("\"customer:string\" from customer=d:customer where \"x = 1\""))
        .hasMessageContaining("x")
        .hasMessageContaining("^");
  }

  /** The bytes of docs/key-format.md. */
  @Test
  void keysAreFrozen() {
    IndexKey byCustomer =
        key("\"salt(8, customer) + customer:string + ts:timestamp desc\" from customer=d:customer");
    assertThat(byCustomer.index().layout())
        .hasToString(
            "salt(8, customer) + customer:string + ts:timestamp desc + seller:string"
                + " + order_id:int64");
    String entry = "633100" + "7ffffe74301a97ff" + "733100" + "8000000000000007";
    assertThat(hex(byCustomer, Map.of(CUSTOMER, text("c1")))).isEqualTo(entry);
    assertThat(byCustomer.row(ByteText.fromHex(entry))).isEqualTo(ROW);

    IndexKey byAmount = key("\"amount:int64 + ts:timestamp\" from amount=d:amount:int");
    byte[] minusTwo = {-1, -1, -1, -2};
    assertThat(hex(byAmount, Map.of(AMOUNT, minusTwo)))
        .isEqualTo("7ffffffffffffffe" + "8000018bcfe56800" + "733100" + "8000000000000007");

    IndexKey byLong = key("\"amount:int64 desc\" from amount=d:amount:long");
    byte[] five = {0, 0, 0, 0, 0, 0, 0, 5};
    assertThat(hex(byLong, Map.of(AMOUNT, five)))
        .isEqualTo("7ffffffffffffffa" + "733100" + "8000018bcfe56800" + "8000000000000007");
  }

  @Test
  void anIndexMayHaveFieldsOfTheKeyAlone() {
    IndexKey byTime = key("\"salt(4) + ts:timestamp\"");
    byte[] entry = byTime.entry(ROW, column -> null).orElseThrow();
    assertThat(ByteText.hex(entry)).isEqualTo("8000018bcfe56800" + "733100" + "8000000000000007");
    assertThat(byTime.row(entry)).isEqualTo(ROW);
  }

  @Test
  void aRowWithoutTheColumnHasNoEntryAndAnEmptyColumnIsAValue() {
    IndexKey byCustomer = key("\"customer:string\" from customer=d:customer");
    assertThat(byCustomer.entry(ROW, column -> null)).isEmpty();
    assertThat(hex(byCustomer, Map.of(CUSTOMER, text("")))).startsWith("00733100");
  }

  @Test
  void aColumnThatIsNoValueOfItsFieldIsRefused() {
    IndexKey byAmount = key("\"amount:int64\" from amount=d:amount:long");
    assertThatThrownBy(() -> hex(byAmount, Map.of(AMOUNT, text("12"))))
        .isInstanceOf(ValueException.class)
        .hasMessage("column is no long: field=amount value=\"12\"; its value has to have 8 bytes");
    IndexKey byText = key("\"amount:int64\" from amount=d:amount");
    assertThatThrownBy(() -> hex(byText, Map.of(AMOUNT, text("many"))))
        .isInstanceOf(ValueException.class)
        .hasMessageStartingWith("not a whole number for int64: field=amount value=\"many\"; ");
    byte[] binary = {0, 0, 0, (byte) 0xff};
    assertThatThrownBy(() -> hex(byText, Map.of(AMOUNT, binary)))
        .isInstanceOf(ValueException.class)
        .hasMessage(
            "column is not UTF-8 text: field=amount value=\"\\\\x00\\\\x00\\\\x00\\\\xFF\"; if it"
                + " holds binary numbers, the index has to say so with :int or :long");
    IndexKey narrow = key("\"amount:uint8\" from amount=d:amount:int");
    byte[] wide = {0, 0, 1, 0};
    assertThatThrownBy(() -> hex(narrow, Map.of(AMOUNT, wide)))
        .isInstanceOf(ValueException.class)
        .hasMessageStartingWith("number out of range for uint8: field=amount value=\"256\"; ");
    IndexKey byCustomer = key("\"customer:string\" from customer=d:customer");
    assertThatThrownBy(() -> hex(byCustomer, Map.of(CUSTOMER, text("a\0b"))))
        .isInstanceOf(ValueException.class)
        .hasMessageStartingWith("text with a NUL character");
  }

  /** Others can have written keys that this layout reads, and would write in another form. */
  @Test
  void aKeyThatTheLayoutWouldNotWriteIsRefused() {
    Layout table = Layout.parse("a:string + \"m\" + b:int64");
    IndexKey key = IndexKey.of(table, TableIndex.parse("by_b events public as \"b:int64\""));
    byte[] row = table.logicalKey(Values.of("a", "z").and("b", 1));
    assertThat(key.row(key.entry(row, column -> null).orElseThrow())).isEqualTo(row);
    row[0] = 'c';
    assertThat(table.decodeLogical(row)).isEqualTo(Values.of("a", "c").and("b", 1L));
    assertThatThrownBy(() -> key.entry(row, column -> null)).isInstanceOf(ValueException.class);
    assertThatThrownBy(() -> key.entry(new byte[] {1, 2}, column -> null))
        .isInstanceOf(RowException.class);
    // NaN has one form in keys.
    Layout real = Layout.parse("r:float64");
    IndexKey ofReal = IndexKey.of(real, TableIndex.parse("by_r events public as \"r:float64\""));
    byte[] otherNaN = ByteText.fromHex("fff8000000000002");
    assertThatThrownBy(() -> ofReal.entry(otherNaN, column -> null))
        .isInstanceOf(RowException.class);
  }

  @Test
  void bytesThatAreNoEntryAreRefused() {
    IndexKey byTime = key("\"ts:timestamp\"");
    assertThatThrownBy(() -> byTime.row(new byte[] {1})).isInstanceOf(RowException.class);
    byte[] entry = byTime.entry(ROW, column -> null).orElseThrow();
    assertThatThrownBy(() -> byTime.row(java.util.Arrays.copyOf(entry, entry.length + 1)))
        .isInstanceOf(RowException.class);
  }
}
