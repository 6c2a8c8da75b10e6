/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.bytes.ByteText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeptColumnsTest {
  private static ByteString text(String text) {
    return ByteString.of(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void keptColumnsAreFrozen() {
    KeptColumns columns =
        new KeptColumns(
            List.of(
                new KeptColumns.Kept(text("d"), text("state"), Optional.of(text("open"))),
                new KeptColumns.Kept(text("d"), text("b"), Optional.empty()),
                new KeptColumns.Kept(text("d"), text("c"), Optional.of(text("")))));
    assertThat(ByteText.hex(columns.toBytes()))
        .isEqualTo(
            "01"
                + "000164"
                + "00057374617465"
                + "000000046f70656e"
                + "000164"
                + "000162"
                + "ffffffff"
                + "000164"
                + "000163"
                + "00000000");
    assertThat(KeptColumns.parse(columns.toBytes(), 3)).isEqualTo(columns);
    assertThat(ByteText.hex(new KeptColumns(List.of()).toBytes())).isEqualTo("01");
  }

  @Test
  void keptColumnsComeBackFromTheirBytes() {
    SplittableRandom random = new SplittableRandom(20261125);
    for (int i = 0; i < 500; i++) {
      List<KeptColumns.Kept> columns = new ArrayList<>();
      for (int column = random.nextInt(4); column > 0; column--) {
        columns.add(
            new KeptColumns.Kept(
                bytes(random, 3),
                bytes(random, random.nextInt(20) == 0 ? 0xffff : 10),
                random.nextInt(4) == 0 ? Optional.empty() : Optional.of(bytes(random, 70_000))));
      }
      KeptColumns kept = new KeptColumns(columns);
      assertThat(KeptColumns.parse(kept.toBytes(), 3)).isEqualTo(kept);
    }
  }

  private static ByteString bytes(SplittableRandom random, int most) {
    byte[] bytes = new byte[random.nextInt(random.nextInt(10) == 0 ? most + 1 : 3)];
    random.nextBytes(bytes);
    return ByteString.of(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "02", "0100", "010001", "01000164", "010001640001", "01000100000000"})
  void bytesThatAreNoKeptColumnsAreRefused(String hex) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeptColumns.parse(ByteText.fromHex(hex), 3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"01000164000162fffffffe", "010001640001627fffffff61", "01ffff64"})
  void lengthsThatAreTooLargeAreRefusedWithTheirPlace(String hex) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeptColumns.parse(ByteText.fromHex(hex), 3))
        .withMessageContaining("kept columns cannot be read: byte=");
  }

  @Test
  void moreColumnsThanAreWantedAreRefused() {
    KeptColumns.Kept column = new KeptColumns.Kept(text("d"), text("c"), Optional.empty());
    byte[] bytes = new KeptColumns(List.of(column, column)).toBytes();
    assertThat(KeptColumns.parse(bytes, 2).columns()).hasSize(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeptColumns.parse(bytes, 1))
        .withMessage("too many kept columns: most=1 bytes=" + bytes.length);
  }
}
