/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ByteStringTest {
  private static final byte[] BYTES = {1, 2, (byte) 0xff, 4};

  @Test
  void bytesAreCopiedInAndOut() {
    byte[] own = BYTES.clone();
    ByteString string = ByteString.of(own);
    own[0] = 9;
    string.toArray()[1] = 9;
    assertThat(string.toArray()).isEqualTo(BYTES);
    assertThat(string.length()).isEqualTo(4);
    assertThat(string).hasToString("0102ff04");
  }

  @Test
  void aPartOfAnArrayAndTheRestOfABufferAreTheirBytes() {
    ByteString middle = ByteString.fromHex("02FF");
    assertThat(ByteString.of(BYTES, 1, 2)).isEqualTo(middle);
    ByteBuffer buffer = ByteBuffer.wrap(BYTES, 1, 2);
    assertThat(ByteString.of(buffer)).isEqualTo(middle);
    assertThat(buffer.position()).isEqualTo(1);
  }

  @Test
  void stringsOfTheSameBytesAreEqualAndOrderIsUnsigned() {
    ByteString string = ByteString.of(BYTES);
    assertThat(string).isEqualTo(ByteString.fromHex("0102ff04")).isNotEqualTo(BYTES);
    assertThat(string).isNotEqualTo(ByteString.fromHex("0102ff05"));
    assertThat(string).hasSameHashCodeAs(ByteString.fromHex("0102ff04"));
    assertThat(string).doesNotHaveSameHashCodeAs(ByteString.fromHex("0102ff05"));
    assertThat(ByteString.fromHex("7f")).isLessThan(ByteString.fromHex("80"));
    assertThat(ByteString.fromHex("7f")).isLessThan(ByteString.fromHex("7f00"));
  }
}
