/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks what may be gzip or Zstandard, recognised by its first bytes and not by its name. A file
 * may be several packed files, one after another (members of gzip, frames of Zstandard), and zeros
 * may follow gzip, as after a tape. Whatever else does not unpack is reported, never left out.
 */
final class Compression {
  private static final int BUFFER = 1 << 16;
  private static final int MAGIC = 6;

  private Compression() {}

  /**
   * Unpacks a stream if it is packed. Closes the stream if that fails.
   *
   * @param name the file's in messages
   * @throws InputException if it is packed by something else, or cut short within its first bytes
   */
  static InputStream unpack(String name, InputStream in) throws IOException {
    BufferedInputStream raw = new BufferedInputStream(in, BUFFER);
    try {
      raw.mark(MAGIC);
      byte[] head = raw.readNBytes(MAGIC);
      raw.reset();
      if (begins(head, 0x1f, 0x8b)) {
        return new Unpacked(name, new GzipMembers(raw));
      }
      if (isZstandard(head)) {
        return new Unpacked(name, new ZstdInputStreamNoFinalizer(raw));
      }
      refuseOthers(name, head);
      return raw;
    } catch (IOException | RuntimeException e) {
      raw.close();
      throw e;
    }
  }

  /** A frame of data, or one to skip (RFC 8878, 3.1). */
  private static boolean isZstandard(byte[] head) {
    return begins(head, 0x28, 0xb5, 0x2f, 0xfd)
        || head.length >= 4
            && (head[0] & 0xf0) == 0x50
            && begins(new byte[] {head[1], head[2], head[3]}, 0x2a, 0x4d, 0x18);
  }

  private static void refuseOthers(String name, byte[] head) throws InputException {
    boolean cut =
        head.length == 1 && head[0] == 0x1f
            || head.length > 0
                && head.length < 4
                && (name.endsWith(".zst") || name.endsWith(".gz"));
    if (cut) {
      throw damaged(name, "it ends within its first bytes");
    }
    String other =
        begins(head, 'B', 'Z', 'h')
            ? "bzip2"
            : begins(head, 0xfd, '7', 'z', 'X', 'Z', 0)
                ? "xz"
                : begins(head, 'P', 'K', 3, 4)
                    ? "zip"
                    : begins(head, 0x04, 0x22, 0x4d, 0x18) ? "lz4" : "";
    if (!other.isEmpty()) {
      throw InputException.file(
          name, "compressed by " + other + ", which is not read", "give it plain, .gz or .zst");
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

  private static InputException damaged(String name, @Nullable String problem) {
    String reason = problem == null ? "" : " (" + problem + ")";
    return InputException.file(
        name, "compressed file is damaged or cut short" + reason, "copy it again");
  }

  /** Says of which file it is that something does not unpack. */
  private static final class Unpacked extends FilterInputStream {
    private final String name;

    Unpacked(String name, InputStream in) {
      super(new BufferedInputStream(in, BUFFER));
      this.name = name;
    }

    @Override
    public int read() throws IOException {
      try {
        return super.read();
      } catch (IOException e) {
        throw damaged(name, e.getMessage());
      }
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      try {
        return super.read(into, offset, length);
      } catch (IOException e) {
        throw damaged(name, e.getMessage());
      }
    }
  }

  /**
   * All members of gzip in a stream. The library reads several by itself, but refuses the zeros
   * that gzip allows after the last one; so it is given one at a time, of which it leaves the rest.
   */
  private static final class GzipMembers extends InputStream {
    private final BufferedInputStream raw;
    private @Nullable InputStream member;
    private boolean ended;

    GzipMembers(BufferedInputStream raw) {
      this.raw = raw;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      while (!ended) {
        if (member == null) {
          // Not its builder, which the version on Hadoop's class path does not have.
          member = new GzipCompressorInputStream(raw);
        }
        int read = member.read(into, offset, length);
        if (read > 0) {
          return read;
        }
        member = null;
        ended = isAtEnd();
      }
      return -1;
    }

    private boolean isAtEnd() throws IOException {
      raw.mark(1);
      int next = raw.read();
      if (next > 0) {
        raw.reset();
        return false;
      }
      while (next == 0) {
        next = raw.read();
      }
      if (next > 0) {
        throw new IOException("no gzip after zeros");
      }
      return true;
    }

    @Override
    public void close() throws IOException {
      raw.close();
    }
  }
}
