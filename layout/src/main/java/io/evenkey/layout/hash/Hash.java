/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.hash;

/** A hash whose digest goes into keys. Implementations are immutable and thread-safe. */
public interface Hash {
  /** The name in a layout line, such as {@code md5}. */
  String name();

  /** Length of the digest in bytes. */
  int width();

  /**
   * Writes the digest of {@code length} bytes of {@code input} from {@code offset} into {@code out}
   * at {@code outOffset}.
   */
  void digest(byte[] input, int offset, int length, byte[] out, int outOffset);
}
