package io.evenkey.jobs.load;

import de.siegmar.fastcsv.writer.CsvWriter;
import io.evenkey.jobs.input.InputException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The side file with the records that could not be loaded: a CSV of file, line, column and reason.
 * Made when there is the first one. Not thread-safe, but for {@link #force}.
 */
final class Rejects implements AutoCloseable {
  private static final String HEADER = "file,line,column,reason\r\n";

  private final Path file;
  private final long most;
  private @Nullable FileChannel channel;
  private long bytes;
  private long count;

  /**
   * Goes on where a load was interrupted.
   *
   * @param most how many there may be
   * @param count how many there were
   * @param bytes how long the file was then; what is behind is cut off
   */
  Rejects(Path file, long most, long count, long bytes) throws IOException {
    this.file = file;
    this.most = most;
    this.count = count;
    this.bytes = bytes;
    if (bytes > 0) {
      channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      channel.truncate(bytes);
      channel.position(bytes);
    }
  }

  long count() {
    return count;
  }

  long bytes() {
    return bytes;
  }

  Path file() {
    return file;
  }

  /**
   * Notes a record.
   *
   * @throws LoadException if there are too many
   */
  void add(String name, InputException reason) throws IOException {
    if (count == most) {
      throw new LoadException(
          "too many records cannot be loaded: rejected="
              + (count + 1)
              + " allowed="
              + most
              + (most > 0 ? " see=" + file : "")
              + " last="
              + reason.getMessage()
              + "; mend them, or allow more with --max-rejects");
    }
    FileChannel open = channel;
    if (open == null) {
      open =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING);
      channel = open;
      write(open, HEADER);
    }
    StringWriter line = new StringWriter();
    try (CsvWriter csv = CsvWriter.builder().build(line)) {
      csv.writeRecord(name, String.valueOf(reason.line()), reason.column(), reason.problem());
    }
    write(open, line.toString());
    count++;
  }

  private void write(FileChannel open, String text) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    bytes += buffer.remaining();
    while (buffer.hasRemaining()) {
      open.write(buffer);
    }
  }

  /** Makes sure that what was noted survives a crash. */
  void force() throws IOException {
    FileChannel open = channel;
    if (open != null) {
      open.force(false);
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
