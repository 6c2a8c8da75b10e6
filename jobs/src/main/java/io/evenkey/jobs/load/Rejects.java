/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.load;

import de.siegmar.fastcsv.writer.CsvWriter;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.file.FileRefusedException;
import io.evenkey.jobs.file.OutputFile;
import io.evenkey.jobs.records.InputException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The side file with the records that could not be loaded: a CSV of file, line, column and reason.
 * Made when there is the first one. Not thread-safe.
 *
 * <p>A load that is resumed reads all its records again, so it notes all rejects again, from the
 * first on. What its earlier runs wrote has to be the beginning of that, byte for byte; a file with
 * anything else in it is not of this load, and is left as it is.
 */
final class Rejects implements AutoCloseable {
  private static final long FEW = 1_000;
  private static final int EXAMPLES = 3;

  private static final byte[] HEADER =
      "file,line,column,reason\r\n".getBytes(StandardCharsets.UTF_8);

  private final Path file;
  private final @Nullable OutputFile fresh;
  private final LoadOptions options;
  private @Nullable FileChannel channel;
  private long bytes;
  private long earlier;
  private long count;
  private final List<String> examples = new ArrayList<>();

  private Rejects(LoadOptions options, @Nullable OutputFile fresh) {
    this.file = options.rejects();
    this.fresh = fresh;
    this.options = options;
  }

  /**
   * The rejects of a load; nothing is written yet.
   *
   * @param resumed whether earlier runs of the load may have made the file
   * @throws FileRefusedException if the file may not be written
   */
  static Rejects of(LoadOptions options, boolean resumed) throws IOException {
    Path file = options.rejects();
    boolean continued = resumed && !options.replace() && Files.isRegularFile(file);
    return new Rejects(options, continued ? null : OutputFile.at(file, options.replace()));
  }

  long count() {
    return count;
  }

  /** The reasons of the first. */
  List<String> examples() {
    return examples;
  }

  /** Whether one more is too many, after so many records. A share is not taken of few. */
  private boolean isFull(long records) {
    long few = options.rejectShare() > 0 ? FEW : 0;
    return count >= Math.max(few, options.allowedRejects(records));
  }

  /**
   * Notes a record.
   *
   * @param records the number of records before it
   * @throws LoadException if there are too many
   * @throws FileRefusedException if the file has something else in this place
   */
  void add(String name, long records, InputException reason) throws IOException {
    if (isFull(records)) {
      throw new LoadException(
          "too many records cannot be loaded: rejected="
              + (count + 1)
              + " allowed="
              + options.allowedRejects(records)
              + (count > 0 ? " see=" + file : "")
              + " last="
              + reason.getMessage()
              + "; correct them, or "
              + Remedy.ALLOW_REJECTS);
    }
    FileChannel open = channel;
    if (open == null) {
      open = open();
    }
    StringWriter line = new StringWriter();
    try (CsvWriter csv = CsvWriter.builder().build(line)) {
      csv.writeRecord(name, String.valueOf(reason.line()), reason.column(), reason.problem());
    }
    write(open, line.toString().getBytes(StandardCharsets.UTF_8));
    count++;
    if (examples.size() < EXAMPLES) {
      examples.add(reason.getMessage());
    }
  }

  private FileChannel open() throws IOException {
    if (fresh != null) {
      fresh.write(HEADER);
    }
    FileChannel open = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    channel = open;
    earlier = open.size();
    write(open, HEADER);
    return open;
  }

  private void write(FileChannel open, byte[] text) throws IOException {
    int known = (int) Math.max(0, Math.min(text.length, earlier - bytes));
    ByteBuffer there = ByteBuffer.allocate(known);
    while (there.hasRemaining() && open.read(there, bytes + there.position()) >= 0) {
      // Until all of it is read.
    }
    if (!there.flip().equals(ByteBuffer.wrap(text, 0, known))) {
      throw new FileRefusedException(
          "file of rejects does not belong to this import: byte=" + bytes,
          file,
          "move it away, or " + Remedy.NAME_REJECTS);
    }
    ByteBuffer all = ByteBuffer.wrap(text);
    while (all.hasRemaining()) {
      open.write(all, bytes + all.position());
    }
    bytes += text.length;
  }

  /** Makes sure that what was noted survives a crash. */
  void force() throws IOException {
    if (channel != null) {
      channel.force(false);
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
