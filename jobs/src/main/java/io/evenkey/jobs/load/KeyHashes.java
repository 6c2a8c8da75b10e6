/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.load;

import io.evenkey.layout.hash.Hash;
import io.evenkey.layout.hash.Hashes;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Counts the records of each key, by the key's MD5: two different keys of ten billion are taken for
 * one with a probability of 10⁻¹⁹. Not thread-safe.
 *
 * <p>An open-addressed table with linear probing; a slot is a pair of longs, zero if it is free,
 * and a count: 20 bytes. At most 0.6 of the slots are taken, then there are twice as many: 33 to 67
 * bytes a key, 100 for the moment in which both tables are there.
 */
final class KeyHashes {
  private static final double FULL = 0.6;
  private static final int SMALLEST = 1 << 12;

  private final Hash hash = Objects.requireNonNull(Hashes.named("md5"));
  private final ByteBuffer digest = ByteBuffer.allocate(hash.width());
  private final long mostKeys;

  private long[] slots = new long[2 * SMALLEST];
  private int[] times = new int[SMALLEST];
  private int keys;

  /**
   * @param mostKeys the most keys that it may hold
   */
  KeyHashes(long mostKeys) {
    this.mostKeys = Math.min(mostKeys, (long) (FULL * (1 << 29)));
  }

  /** The number of different keys so far. */
  int keys() {
    return keys;
  }

  /** Whether no more keys are remembered. */
  boolean isFull() {
    return keys >= mostKeys;
  }

  /**
   * Counts a key, and says how often it had come before. One that has not is not remembered any
   * more when it {@link #isFull}.
   */
  int add(byte[] key) {
    hash.digest(key, 0, key.length, digest.array(), 0);
    long high = digest.getLong(0);
    // Zero stands for a free slot.
    long low = digest.getLong(8) | 1;
    int slot = slotOf(slots, high, low);
    if (slots[2 * slot + 1] == 0) {
      if (isFull()) {
        return 0;
      }
      if (keys >= FULL * times.length) {
        grow();
        slot = slotOf(slots, high, low);
      }
      slots[2 * slot] = high;
      slots[2 * slot + 1] = low;
      keys++;
    }
    return times[slot]++;
  }

  private static int slotOf(long[] slots, long high, long low) {
    int mask = slots.length / 2 - 1;
    int slot = (int) high & mask;
    while (slots[2 * slot + 1] != 0 && (slots[2 * slot] != high || slots[2 * slot + 1] != low)) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private void grow() {
    long[] larger = new long[2 * slots.length];
    int[] more = new int[2 * times.length];
    for (int i = 0; i < times.length; i++) {
      if (slots[2 * i + 1] != 0) {
        int slot = slotOf(larger, slots[2 * i], slots[2 * i + 1]);
        larger[2 * slot] = slots[2 * i];
        larger[2 * slot + 1] = slots[2 * i + 1];
        more[slot] = times[i];
      }
    }
    slots = larger;
    times = more;
  }
}
