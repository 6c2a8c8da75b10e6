/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.fs.FSDataInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A source of bytes: a file, which can be read again, or a stream, which cannot. What is gzip or
 * Zstandard is unpacked. Read by one thread at a time; {@link #bytesRead} may be asked by any.
 */
public final class Input {
  /** The name of the standard input. */
  public static final String STDIN = "-";

  private final String name;
  private final @Nullable Path file;
  private @Nullable InputStream once;
  private long length;
  private volatile long bytesRead;

  private Input(String name, @Nullable Path file, @Nullable InputStream once) {
    this.name = name;
    this.file = file;
    this.once = once;
  }

  /**
   * A file.
   *
   * @throws InputException if there is none that can be read
   */
  public static Input file(Path file) throws InputException {
    return file(file, file.toString());
  }

  /**
   * A file that messages call otherwise: one that was sent, for example.
   *
   * @throws InputException if there is none that can be read
   */
  public static Input file(Path file, String name) throws InputException {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw InputException.file(
          name,
          Files.isDirectory(file) ? "a directory, not a file" : "no such file, or not readable",
          "name a file with records");
    }
    return new Input(name, file, null);
  }

  /** A file that is open in any file system of Hadoop's, and is read once. */
  public static Input file(String name, FSDataInputStream in, long size) {
    Input input = new Input(name, null, in);
    input.length = size;
    return input;
  }

  /** A stream that is read once. */
  public static Input stream(String name, InputStream in) {
    return new Input(name, null, in);
  }

  /** Its name in messages. */
  public String name() {
    return name;
  }

  /** The file, or null if it is none. */
  public @Nullable Path path() {
    return file;
  }

  /** Whether it can be read again from the beginning. */
  boolean isRepeatable() {
    return file != null;
  }

  /** Bytes in all, packed as they are; 0 if that is not known. */
  public long size() {
    try {
      return file == null ? length : Files.size(file);
    } catch (IOException e) {
      return 0;
    }
  }

  /** Bytes read so far, packed as they are, since it was last opened. */
  public long bytesRead() {
    return bytesRead;
  }

  /**
   * Starts to read, unpacked.
   *
   * @throws IOException if it cannot be read, or not again
   */
  InputStream open() throws IOException {
    return Compression.unpack(name, new Counted(openPacked()));
  }

  /**
   * Starts to read, packed as it is and without counting.
   *
   * @throws IOException if it cannot be read, or not again
   */
  InputStream openPacked() throws IOException {
    InputStream raw = file != null ? Files.newInputStream(file) : once;
    if (raw == null) {
      throw InputException.file(name, "stream was read already", "give a file");
    }
    once = null;
    bytesRead = 0;
    return raw;
  }

  /** Counts what is not read from the beginning to the end: by the share of it that is done. */
  void progressed(double share) {
    bytesRead = (long) (share * size());
  }

  private final class Counted extends FilterInputStream {
    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      count(read < 0 ? 0 : 1);
      return read;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int read = super.read(into, offset, length);
      count(Math.max(0, read));
      return read;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread reads
    private void count(int more) {
      bytesRead += more;
    }
  }
}
