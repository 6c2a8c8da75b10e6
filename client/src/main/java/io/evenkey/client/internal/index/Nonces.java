/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers of 16 bytes that are never given twice: eight random bytes of this process, and a counter
 * that begins at a random number. Thread-safe.
 */
final class Nonces {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final long PROCESS = RANDOM.nextLong();
  private static final AtomicLong NEXT = new AtomicLong(RANDOM.nextLong());

  private Nonces() {}

  /** Another one, in a new array. */
  static byte[] next() {
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(PROCESS)
        .putLong(NEXT.getAndIncrement())
        .array();
  }
}
