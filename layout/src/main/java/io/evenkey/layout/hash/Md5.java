package io.evenkey.layout.hash;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** MD5 (RFC 1321), 16 bytes. Spreads keys; protects nothing. */
final class Md5 implements Hash {
  static final Md5 INSTANCE = new Md5();

  // A digest is stateful and costly to make, so each thread keeps one.
  private static final ThreadLocal<MessageDigest> DIGEST = ThreadLocal.withInitial(Md5::create);

  private Md5() {}

  private static MessageDigest create() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }

  @Override
  public String name() {
    return "md5";
  }

  @Override
  public int width() {
    return 16;
  }

  @Override
  public void digest(byte[] input, int offset, int length, byte[] out, int outOffset) {
    MessageDigest digest = DIGEST.get();
    digest.update(input, offset, length);
    try {
      digest.digest(out, outOffset, width());
    } catch (DigestException e) {
      throw new IllegalArgumentException("no room for a digest of 16 bytes", e);
    }
  }
}
