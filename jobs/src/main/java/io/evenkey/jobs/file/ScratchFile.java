/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.file;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Values that a command keeps while it runs, in a file of the directory for temporary files.
 * Closing it deletes them; so does the end of the process on systems where a file that is open can
 * be deleted. It is written first, and can be read several times then. Not thread-safe.
 */
public final class ScratchFile implements Closeable {
  private static final int BUFFER = 1 << 16;

  private final FileChannel channel;
  private final DataOutputStream out;

  private ScratchFile(FileChannel channel) {
    this.channel = channel;
    this.out =
        new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER));
  }

  /**
   * Creates a file, which only this user can read.
   *
   * @param use for its name, which is seen if the process is killed where the file then stays
   */
  public static ScratchFile create(String use) throws IOException {
    Path file = Files.createTempFile("evenkey-" + use + "-", ".tmp");
    return new ScratchFile(
        FileChannel.open(
            file,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE));
  }

  /** The stream to which the values are written; not to be closed. */
  public DataOutputStream out() {
    return out;
  }

  /** Reads what was written, from the beginning; nothing is to be written after that. */
  public DataInputStream read() throws IOException {
    out.flush();
    channel.position(0);
    return new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel), BUFFER));
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
