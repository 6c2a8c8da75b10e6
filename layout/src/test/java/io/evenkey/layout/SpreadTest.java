/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.text.RowException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpreadTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "salt(16, s) + s:string + n:int64         | 1",
        "salt(16, s) + s:string desc + n:int64    | 1",
        "salt(16, s; over=3) + s:string + n:int64 | 3",
        "md5(s)[0..2] + s:string + n:int64        | 1",
        "salt(16, n) + s:string + n:int64         | 16",
        "salt(16) + s:string + n:int64            | 16",
        "s:string + n:int64                       | 1"
      })
  void aRangeThatFixesTheHashedFieldsOpensTheirBucketsOnly(String line, int fanOut) {
    Layout layout = Layout.parse(line);
    byte[] key = layout.logicalKey(Values.of("s", "d1").and("n", 5L));
    byte[] device = Arrays.copyOf(key, 3);
    assertThat(layout.scatter(KeyRange.prefix(device)).fanOut()).isEqualTo(fanOut);
    assertThat(layout.scatter(KeyRange.point(key)).ranges())
        .as("of one key")
        .singleElement()
        .satisfies(range -> assertThat(range.contains(layout.physical(key))).isTrue());
  }

  @Test
  void aScanOpensAsManyRangesAsThereMayBeAndNoMore() {
    assertThat(Layout.parse("md5(s)[0..4] + s:string").scatter(KeyRange.all()).fanOut())
        .isEqualTo(65_536);
    assertThat(Layout.parse("md5(s)[0..5] + s:string").scatter(KeyRange.all()).fanOut()).isOne();
  }

  @Test
  void aRowOfARandomSaltHasOneOfItsBucketsAndItsSeparator() {
    Layout layout = Layout.parse("salt(4, random) + \":\" + s:string");
    assertThat(layout.spread().isRandom()).isTrue();
    assertThat(Layout.parse("salt(4) + s:string").spread().isRandom()).isFalse();
    assertThat(Layout.parse("s:string").spread().isRandom()).isFalse();
    assertThat(layout.decode(ByteText.fromHex("033a61"))).isEqualTo(Values.of("s", "a"));
    for (String wrong : new String[] {"043a61", "033b61", "03"}) {
      assertThatThrownBy(() -> layout.decode(ByteText.fromHex(wrong)))
          .as(wrong)
          .isInstanceOf(RowException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"6100", "6100620000", "00", "0000"})
  void aKeyOfPhoenixThatEndsInANullIsRefused(String hex) {
    Layout layout = Layout.parse("phoenix_salt(0) + a:string + b:string + c:string + d:string");
    assertThatThrownBy(() -> layout.decode(ByteText.fromHex(hex)))
        .isInstanceOf(RowException.class)
        .hasMessageContaining("a null at the end, which Phoenix leaves out");
    assertThat(layout.decode(ByteText.fromHex("61000062")).get("c")).isEqualTo("b");
  }
}
