/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import io.airlift.compress.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/** Unpacks what may be gzip or Zstandard, recognised by its first bytes and not by its name. */
final class Compression {
  private static final int BUFFER = 1 << 16;

  private Compression() {}

  /** Unpacks a stream if it is packed. Closes the stream if that fails. */
  static InputStream unpack(InputStream in) throws IOException {
    BufferedInputStream raw = new BufferedInputStream(in, BUFFER);
    try {
      raw.mark(4);
      byte[] magic = raw.readNBytes(4);
      raw.reset();
      if (begins(magic, 0x1f, 0x8b)) {
        return new BufferedInputStream(new GZIPInputStream(raw, BUFFER), BUFFER);
      }
      if (begins(magic, 0x28, 0xb5, 0x2f, 0xfd)) {
        return new BufferedInputStream(new ZstdInputStream(raw), BUFFER);
      }
      return raw;
    } catch (IOException | RuntimeException e) {
      raw.close();
      throw e;
    }
  }

  private static boolean begins(byte[] bytes, int... magic) {
    for (int i = 0; i < magic.length; i++) {
      if (i >= bytes.length || (bytes[i] & 0xff) != magic[i]) {
        return false;
      }
    }
    return true;
  }
}
