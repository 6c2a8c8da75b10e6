/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.hotkeys;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.key.Key;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** Counts the keys of one table. Thread-safe. */
public final class TableHotKeys {
  private static final int MOST = 100;
  private static final int HASH_BYTES = 8;

  private final Key key;
  private final int leadingSteps;
  private final boolean hashed;
  private final byte[] secret;
  private final Sketch readKeys = new Sketch();
  private final Sketch readFields = new Sketch();
  private final Sketch writeKeys = new Sketch();
  private final Sketch writeFields = new Sketch();
  private long from = System.currentTimeMillis();

  TableHotKeys(Layout layout, boolean hashed, String secret) {
    this.key = layout.key();
    this.leadingSteps = key.stepOf(0) + 1;
    this.hashed = hashed;
    this.secret = secret.getBytes(StandardCharsets.UTF_8);
  }

  /** A row is read. */
  public void read(byte[] logicalKey) {
    count(logicalKey, 1, readKeys, readFields);
  }

  /** A row is written, or changed, once. */
  public void write(byte[] logicalKey) {
    write(logicalKey, 1);
  }

  /** Counts mutations of a row, at least one. */
  public void write(byte[] logicalKey, int mutations) {
    count(logicalKey, mutations, writeKeys, writeFields);
  }

  private void count(byte[] logicalKey, int times, Sketch keys, Sketch fields) {
    keys.count(item(logicalKey, logicalKey.length), times);
    // A key of one field is its own leading field.
    Key.Beginning leading = key.beginning(logicalKey, leadingSteps);
    if (leading.steps() == leadingSteps) {
      fields.count(item(logicalKey, leading.bytes()), times);
    }
  }

  private ByteString item(byte[] bytes, int length) {
    if (!hashed) {
      return ByteString.of(bytes, 0, length);
    }
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(secret);
      digest.update(bytes, 0, length);
      return ByteString.of(Arrays.copyOf(digest.digest(), HASH_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Takes the counts since the last call. */
  synchronized HotKeyReport take() {
    long began = from;
    from = System.currentTimeMillis();
    return new HotKeyReport(
        began,
        from,
        hashed,
        readKeys.take(MOST),
        readFields.take(MOST),
        writeKeys.take(MOST),
        writeFields.take(MOST));
  }
}
