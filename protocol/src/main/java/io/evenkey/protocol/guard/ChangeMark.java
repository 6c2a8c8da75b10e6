/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.guard;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The tombstone that the guard leaves in every row that is written while a table is {@link
 * GuardMode#TRACKED}: one or more for each pass, of which the first is as old as the first write of
 * the row in the pass since its region opened. Its qualifier is {@code 00 "evenkey" 00} and the
 * pass, four bytes big-endian; its family is the first one of the write, its timestamp the server's
 * clock. No read but a raw scan returns it, and a compaction after the migration drops it. A
 * storage format.
 */
public final class ChangeMark {
  private static final byte[] PREFIX = "\0evenkey\0".getBytes(StandardCharsets.US_ASCII);

  private ChangeMark() {}

  /** The qualifier of a pass's marks. */
  public static byte[] qualifier(int pass) {
    return ByteBuffer.allocate(PREFIX.length + Integer.BYTES).put(PREFIX).putInt(pass).array();
  }

  /** Whether a qualifier is that of a mark, of whichever pass. */
  public static boolean isMark(byte[] array, int offset, int length) {
    if (length != PREFIX.length + Integer.BYTES) {
      return false;
    }
    for (int i = 0; i < PREFIX.length; i++) {
      if (array[offset + i] != PREFIX[i]) {
        return false;
      }
    }
    return true;
  }
}
