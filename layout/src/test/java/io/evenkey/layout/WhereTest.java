/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.scatter.Scatter;
import io.evenkey.layout.scatter.Where;
import org.junit.jupiter.api.Test;

class WhereTest {
  private static Scatter scatter(String line, String where) {
    Layout layout = Layout.parse(line);
    return layout.scatter(layout.where(where));
  }

  @Test
  void aWholeKeySaltOpensEveryBucketForARange() {
    Scatter scatter = scatter("salt(16) + device:string + ts:int64", "device = 'x' and ts >= 0");
    assertThat(scatter.fanOut()).isEqualTo(16);
    assertThat(scatter.ranges().get(3))
        .hasToString("[\\x03x\\x00\\x80\\x00\\x00\\x00\\x00\\x00\\x00\\x00, \\x03x\\x01)");
  }

  @Test
  void anAffineSaltOpensOneBucketForAFixedDevice() {
    assertThat(scatter("salt(16, d) + d:string + ts:int64", "d = 'x' and ts >= 0").fanOut())
        .isEqualTo(1);
    assertThat(scatter("salt(16, d) + d:string + ts:int64", "d >= 'x'").fanOut()).isEqualTo(16);
    assertThat(scatter("salt(16, d) + ts:int64 + d:string", "ts = 5").fanOut()).isEqualTo(16);
  }

  @Test
  void newestFirstTurnsTheBoundsRound() {
    assertThat(scatter("ts:int64 desc", "ts >= 1 and ts < 3").ranges())
        .containsExactly(
            KeyRange.of(key("ts:int64 desc", 2), KeyRange.afterPrefix(key("ts:int64 desc", 1))));
  }

  private static byte[] key(String line, long value) {
    return Layout.parse(line).encode(Values.of("ts", value));
  }

  @Test
  void aLongHashPrefixIsReadWholeUnlessItsFieldsAreFixed() {
    Scatter all = scatter("md5(id) + id:digits", "id >= 5");
    assertThat(all.ranges()).containsExactly(KeyRange.all());
    assertThat(all.ordered()).isFalse();
    assertThat(all.exact()).isFalse();
    Scatter one = scatter("md5(id) + id:digits", "id = 5");
    assertThat(one.fanOut()).isEqualTo(1);
    assertThat(one.ordered()).isTrue();
    assertThat(scatter("md5(id)[0..2] + id:digits", "id >= 5").fanOut()).isEqualTo(256);
  }

  @Test
  void conditionsAfterTheRangeAreLeftToFilter() {
    Layout layout = Layout.parse("a:int64 + b:int64 + c:int64");
    Where where = layout.where("a = 1 and b > 2 and b <= 9 and c = 3");
    assertThat(where.residual(true)).containsExactly("c = 3");
    assertThat(layout.where("c between 1 and 3 and a = 1").residual(true))
        .containsExactly("c between 1 and 3");
    assertThat(layout.where("b = 1").ranges()).containsExactly(KeyRange.all());
  }

  @Test
  void aRangeInsideAReversedPartIsLeftToFilter() {
    Layout layout = Layout.parse("reverse(id:digits(4)) + n:int64");
    Where where = layout.where("id >= 5 and id < 9");
    Scatter scatter = layout.scatter(where);
    assertThat(scatter.ordered()).isFalse();
    assertThat(where.residual(scatter.exact())).containsExactly("id >= 5", "id < 9");
    Scatter fixed = layout.scatter(layout.where("id = 5 and n > 0"));
    assertThat(fixed.ordered() && fixed.exact()).isTrue();
  }

  @Test
  void contradictionsOpenNothing() {
    assertThat(scatter("salt(4) + a:int64", "a = 1 and a = 2").fanOut()).isZero();
    assertThat(scatter("salt(4) + a:int64 + b:int64", "b > 2 and b < 1").fanOut()).isZero();
    assertThat(scatter("salt(4) + a:int64", "a > 9223372036854775807").fanOut()).isZero();
    assertThat(scatter("a:string", "a < ''").fanOut()).isZero();
  }
}
