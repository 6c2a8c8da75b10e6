/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.file;

import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.message.FailureMessage;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.UUID;

/**
 * A file that a user has named for the output of a command or job.
 *
 * <p>A file that exists is refused unless it is to be replaced. What is written goes to a new file
 * beside it, a <em>draft</em> called {@code NAME.xxxxxxxx.part}, which takes its place in one step
 * when it is complete and on disk: at each moment the path names the file that was there before, or
 * the complete new one. A write that fails or is interrupted by the end of its process leaves the
 * file as it was and deletes the draft; a process that is killed leaves the draft, which may be
 * deleted. Two processes that write the same path have drafts of their own. If the file was not
 * there before and another process makes it before the end, it is kept, and so is the draft.
 *
 * <p>A symbolic link stays: the file that it names is replaced. A file that is replaced keeps its
 * POSIX permissions. Immutable; each write is independent of those before.
 */
public final class OutputFile {
  private final Path file;
  private final boolean replace;

  private OutputFile(Path file, boolean replace) {
    this.file = file;
    this.replace = replace;
  }

  /**
   * Checks that a file can be written, before the work begins that gives its content.
   *
   * @param replace whether a file that exists is replaced
   * @throws FileRefusedException if the path names a directory, a device, a link to nothing, a file
   *     that must not be replaced, or something in a directory that is not there or not writable
   */
  public static OutputFile at(Path path, boolean replace) throws IOException {
    boolean exists = Files.exists(path);
    if (!exists && Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileRefusedException("link to a file that is not there", path, "name another file");
    }
    Path file = exists ? path.toRealPath() : path.toAbsolutePath();
    if (exists && !Files.isRegularFile(file)) {
      throw new FileRefusedException(
          Files.isDirectory(file) ? "directory, not a file" : "not a regular file",
          path,
          "name a file");
    }
    if (exists && !replace) {
      throw new FileRefusedException(
          "file exists", path, "name another, move it away, or " + Remedy.REPLACE_FILE);
    }
    Path directory = file.getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw new FileRefusedException("directory of a file not found", path, "create it first");
    }
    if (!Files.isWritable(directory)) {
      throw new FileRefusedException("directory of a file not writable", path, "name another file");
    }
    return new OutputFile(file, replace);
  }

  /** The absolute path of the file, with all links resolved. */
  public Path path() {
    return file;
  }

  /**
   * Makes the content of a file.
   *
   * @param <T> the result of writing it
   */
  @FunctionalInterface
  public interface Content<T> {
    /**
     * Writes all of it.
     *
     * @param out may be closed, or left open
     */
    T to(OutputStream out) throws IOException;
  }

  /** Writes a file of these bytes; see {@link #write(Content)}. */
  public void write(byte[] content) throws IOException {
    write(
        out -> {
          out.write(content);
          return content.length;
        });
  }

  /**
   * Writes the file. When this returns, its content is on disk.
   *
   * @return the value that {@code content} returned
   * @throws FileRefusedException if another process has made the file since it was checked
   * @throws IOException if it cannot be written, or what {@code content} throws; the file is as it
   *     was
   */
  public <T> T write(Content<T> content) throws IOException {
    Path draft = draft();
    T result;
    boolean complete = false;
    Thread deletion = new Thread(() -> draft.toFile().delete(), "draft");
    onExit(() -> Runtime.getRuntime().addShutdownHook(deletion));
    try (FileChannel channel = open(draft)) {
      OutputStream out = new Draft(Channels.newOutputStream(channel));
      result = content.to(out);
      force(channel);
      complete = true;
    } finally {
      if (!complete) {
        Files.deleteIfExists(draft);
      }
      onExit(() -> Runtime.getRuntime().removeShutdownHook(deletion));
    }
    publish(draft);
    return result;
  }

  private void onExit(Runnable change) throws IOException {
    try {
      change.run();
    } catch (IllegalStateException e) {
      throw new InterruptedIOException(
          "file is not written, because its process ends: path=" + file);
    }
  }

  private FileChannel open(Path draft) throws IOException {
    try {
      FileChannel channel =
          FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      keepPermissions(draft);
      return channel;
    } catch (IOException e) {
      throw notWritten(e);
    }
  }

  private Path draft() {
    String unique = UUID.randomUUID().toString().substring(0, 8);
    return file.resolveSibling(file.getFileName() + "." + unique + ".part");
  }

  private void keepPermissions(Path draft) throws IOException {
    PosixFileAttributeView posix = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (posix != null && Files.exists(file)) {
      Files.setPosixFilePermissions(draft, posix.readAttributes().permissions());
    }
  }

  private void force(FileChannel channel) throws IOException {
    try {
      channel.force(true);
    } catch (IOException e) {
      throw notWritten(e);
    }
  }

  private void publish(Path draft) throws IOException {
    try {
      if (replace) {
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      } else {
        link(draft);
      }
    } catch (FileAlreadyExistsException e) {
      throw new FileRefusedException(
          "file was made by another process: complete=" + draft, file, "rename the complete one");
    } catch (IOException e) {
      Files.deleteIfExists(draft);
      throw notWritten(e);
    }
  }

  // A rename would replace a file that was created since then; a link does not.
  private void link(Path draft) throws IOException {
    try {
      Files.createLink(file, draft);
      Files.delete(draft);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (UnsupportedOperationException | FileSystemException e) {
      // File systems without links: the name is taken first.
      Files.createFile(file);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private IOException notWritten(IOException e) {
    String reason =
        e instanceof FileSystemException system && system.getReason() == null
            ? e.getClass().getSimpleName().replace("Exception", "")
            : e instanceof FileSystemException system ? system.getReason() : e.getMessage();
    return new EvenkeyException(
        FailureMessage.of("file cannot be written")
            .with("path", file)
            .with("reason", reason)
            .remedy("what was there is unchanged; free space, or name another"),
        e);
  }

  /** Stays open, so that what was written can be forced to disk; says which file is not written. */
  private final class Draft extends FilterOutputStream {
    Draft(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        out.write(bytes, offset, length);
      } catch (IOException e) {
        throw notWritten(e);
      }
    }

    @Override
    public void close() throws IOException {
      flush();
    }
  }
}
