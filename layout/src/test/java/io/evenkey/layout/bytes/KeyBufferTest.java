/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyBufferTest {
  /** More than the least that a buffer has room for. */
  private static final int FULL = 32;

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A buffer with room for so many bytes more, and none to spare. */
  private static KeyBuffer withRoomFor(int more) {
    return new KeyBuffer(FULL + more).fill(9, FULL);
  }

  private static void assertAppended(KeyBuffer buffer, int... expected) {
    byte[] all = new byte[FULL + expected.length];
    Arrays.fill(all, 0, FULL, (byte) 9);
    for (int i = 0; i < expected.length; i++) {
      all[FULL + i] = (byte) expected[i];
    }
    assertThat(buffer.toArray()).isEqualTo(all);
  }

  @Test
  void aFullBufferGrowsWithAnyValueThatIsAppended() {
    assertAppended(withRoomFor(0).put(7), 7);
    assertAppended(withRoomFor(0).put(new byte[] {1, 2, 3}, 1, 2), 2, 3);
    assertAppended(withRoomFor(1).fill(5, 3), 5, 5, 5);
    assertAppended(withRoomFor(7).putLong(0x0102030405060708L), 1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(withRoomFor(0).put(new byte[1000]).size()).isEqualTo(FULL + 1000);
    for (int room = 0; room < 5; room++) {
      KeyBuffer buffer = withRoomFor(room);
      assertThat(buffer.putAscii("abc", 0)).isTrue();
      assertThat(buffer.putAscii("d", 0xff)).isTrue();
      assertAppended(buffer, 'a', 'b', 'c', 0, ~'d', 0xff);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void theLowestBytesOfANumberAreWrittenMostSignificantFirst(int count) {
    long value = 0x8182838485868788L;
    byte[] all = ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    assertThat(new KeyBuffer(0).putLow(value, count).put(9).toArray())
        .startsWith(Arrays.copyOfRange(all, Long.BYTES - count, Long.BYTES))
        .hasSize(count + 1)
        .endsWith(9);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff})
  void everyLengthOfACharacterIsThatOfUtf8(int codePoint) {
    String text = "a" + Character.toString(codePoint) + "z";
    KeyBuffer buffer = withRoomFor(0);
    assertThat(buffer.putUtf8(text)).isTrue();
    assertThat(buffer.toArray())
        .startsWith(new KeyBuffer(0).fill(9, FULL).toArray())
        .endsWith(utf8(text))
        .hasSize(FULL + utf8(text).length);
  }

  @ParameterizedTest
  @ValueSource(chars = {'\uD800', '\uDBFF', '\uDC00', '\uDFFF'})
  void halfASurrogatePairIsRefused(char half) {
    assertThat(new KeyBuffer(8).putUtf8("a" + half)).isFalse();
  }

  @Test
  void asciiTextWithACharacterThatItCannotHoldIsNotAppended() {
    for (String odd : new String[] {"a\0", "\0", "a\u0080", "é", "\uFFFF"}) {
      KeyBuffer buffer = new KeyBuffer(8).put(1);
      assertThat(buffer.putAscii(odd, 0)).as(odd).isFalse();
      assertThat(buffer.toArray()).as(odd).containsExactly(1);
    }
    assertThat(new KeyBuffer(8).putAscii("\u0001\u007f", 0)).isTrue();
  }

  /** In buffers without a byte to spare, on which a step too far is an exception. */
  @Test
  void invertingAndLookingForZeroStopAtTheEnd() {
    for (int size = FULL; size <= FULL + 9; size++) {
      for (int from = 0; from <= size; from++) {
        KeyBuffer buffer = new KeyBuffer(size).fill(0x5a, size).invert(from);
        byte[] expected = new byte[size];
        Arrays.fill(expected, 0, from, (byte) 0x5a);
        Arrays.fill(expected, from, size, (byte) 0xa5);
        assertThat(buffer.toArray()).isEqualTo(expected);
        assertThat(buffer.hasZeroFrom(from)).isFalse();
        if (from < size) {
          buffer.array()[from] = 0;
          assertThat(buffer.hasZeroFrom(from)).isTrue();
          assertThat(buffer.hasZeroFrom(from + 1)).isFalse();
        }
      }
    }
    assertThat(new KeyBuffer(4).fill(1, 4).truncate(2).hasZeroFrom(0)).isFalse();
  }
}
