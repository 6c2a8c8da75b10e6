/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.hash;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A hash of the Java platform: MD5 (RFC 1321) and the SHA family (FIPS 180-4). Spreads keys;
 * protects nothing.
 */
final class DigestHash implements Hash {
  private final String name;
  private final int width;

  // A digest is stateful and costly to make, so each thread keeps one.
  private final ThreadLocal<MessageDigest> digest;

  private DigestHash(String name, String algorithm, int width) {
    this.name = name;
    this.width = width;
    this.digest = ThreadLocal.withInitial(() -> create(algorithm));
  }

  /**
   * A hash.
   *
   * @param name as a layout line spells it
   * @param algorithm as the platform does
   * @param width bytes of its digest
   */
  static DigestHash of(String name, String algorithm, int width) {
    return new DigestHash(name, algorithm, width);
  }

  private static MessageDigest create(String algorithm) {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java platform lacks " + algorithm, e);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int width() {
    return width;
  }

  @Override
  public void digest(byte[] input, int offset, int length, byte[] out, int outOffset) {
    MessageDigest own = digest.get();
    own.update(input, offset, length);
    try {
      own.digest(out, outOffset, width);
    } catch (DigestException e) {
      throw new IllegalArgumentException("no room for a digest of " + width + " bytes", e);
    }
  }
}
