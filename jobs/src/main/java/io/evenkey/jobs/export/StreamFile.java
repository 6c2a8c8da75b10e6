/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.export;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/** A stream that is written once, as Parquet writes files: it has to know where it is. */
final class StreamFile implements OutputFile {
  private final OutputStream out;

  StreamFile(OutputStream out) {
    this.out = out;
  }

  @Override
  public PositionOutputStream create(long blockSize) {
    return new Counted(out);
  }

  @Override
  public PositionOutputStream createOrOverwrite(long blockSize) {
    return create(blockSize);
  }

  @Override
  public boolean supportsBlockSize() {
    return false;
  }

  @Override
  public long defaultBlockSize() {
    return 0;
  }

  private static final class Counted extends PositionOutputStream {
    private final OutputStream out;
    private long position;

    Counted(OutputStream out) {
      this.out = out;
    }

    @Override
    public long getPos() {
      return position;
    }

    @Override
    public void write(int value) throws IOException {
      out.write(value);
      position++;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
      position += length;
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}
