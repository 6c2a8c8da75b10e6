/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.hotkeys;

import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.message.FailureMessage;
import java.nio.ByteBuffer;

/**
 * A client's question to one region for its hot keys: the value of the attribute {@link
 * io.evenkey.protocol.guard.GuardAttributes#ASK} of a Get of any row of the region, whose length
 * differs from that of a question to the guard. On the wire, six bytes: one byte format (1), one
 * byte that is 1 to {@linkplain #reread read the descriptor again}, {@code i32} number of items.
 *
 * @param most the most items of each kind in the answer, 1 to {@value #MOST_ITEMS}
 * @param reread whether the region reads the table's descriptor before it answers, as after a
 *     change of {@link HotKeySetting}
 */
public record HotKeyQuestion(int most, boolean reread) {
  /** The most items of one kind that a region remembers. */
  public static final int MOST_ITEMS = 64;

  private static final byte FORMAT = 1;
  private static final int BYTES = 6;

  /**
   * Checks the number of items.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public HotKeyQuestion {
    if (most < 1 || most > MOST_ITEMS) {
      throw new EvenkeyArgumentException(
          FailureMessage.of("number of hot keys out of range")
              .with("items", most)
              .remedy("ask for 1 to " + MOST_ITEMS));
    }
  }

  /** Whether the value of the attribute is a question for hot keys, of whatever format. */
  public static boolean isIn(byte[] ask) {
    return ask.length == BYTES;
  }

  /** The bytes on the wire. */
  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES).put(FORMAT).put((byte) (reread ? 1 : 0)).putInt(most).array();
  }

  /**
   * The question in such bytes.
   *
   * @throws IllegalArgumentException if the bytes are not a question of this format
   */
  public static HotKeyQuestion parse(byte[] bytes) {
    if (bytes.length != BYTES || bytes[0] != FORMAT || bytes[1] < 0 || bytes[1] > 1) {
      throw new EvenkeyArgumentException(
          "question for hot keys not understood: bytes=" + bytes.length);
    }
    return new HotKeyQuestion(ByteBuffer.wrap(bytes, 2, Integer.BYTES).getInt(), bytes[1] == 1);
  }
}
