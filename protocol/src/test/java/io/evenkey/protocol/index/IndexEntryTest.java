/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.bytes.ByteText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndexEntryTest {
  private static final List<Optional<ByteString>> CELLS =
      List.of(
          Optional.of(ByteString.fromHex("6162")),
          Optional.empty(),
          Optional.of(ByteString.fromHex("")));

  /** The bytes of docs/key-format.md. */
  @Test
  void entriesAreFrozen() {
    assertThat(ByteText.hex(new IndexEntry(List.of()).toBytes())).isEqualTo("0100");
    assertThat(ByteText.hex(new IndexEntry(CELLS).toBytes()))
        .isEqualTo("0100" + "000000026162" + "ffffffff" + "00000000");
  }

  @Test
  void entriesComeBackFromTheirBytes() {
    SplittableRandom random = new SplittableRandom(20261125);
    for (int i = 0; i < 1000; i++) {
      List<Optional<ByteString>> cells = new ArrayList<>();
      for (int cell = random.nextInt(5); cell > 0; cell--) {
        byte[] bytes = new byte[random.nextInt(random.nextInt(10) == 0 ? 70_000 : 5)];
        random.nextBytes(bytes);
        cells.add(random.nextInt(4) == 0 ? Optional.empty() : Optional.of(ByteString.of(bytes)));
      }
      IndexEntry entry = new IndexEntry(cells);
      assertThat(IndexEntry.parse(entry.toBytes())).isEqualTo(entry);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "01",
        "0102",
        "0101",
        "010000",
        "0100000000",
        "01000000000261",
        "0100fffffffe",
        "01007fffffff61",
        "010080000000"
      })
  void bytesThatAreNoEntryAreRefused(String hex) {
    assertThatThrownBy(() -> IndexEntry.parse(ByteText.fromHex(hex)))
        .isInstanceOf(IndexException.class)
        .hasMessageStartingWith("entry of an index cannot be read: byte=");
  }

  @Test
  void entriesOfALaterFormatAreRefusedWithBothVersions() {
    assertThatThrownBy(() -> IndexEntry.parse(ByteText.fromHex("0200")))
        .isInstanceOf(IndexException.class)
        .hasMessageStartingWith("entry of an index of an unknown format: format=2 known=1; ");
  }
}
