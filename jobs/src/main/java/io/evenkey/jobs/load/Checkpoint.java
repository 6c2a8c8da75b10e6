package io.evenkey.jobs.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.evenkey.jobs.file.WholeFile;
import io.evenkey.jobs.input.Input;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a load is, in a file that is replaced as a whole. Immutable.
 *
 * @param format the version of this file's format
 * @param table the table's name
 * @param layout its layout
 * @param inputs what is read: name, bytes and time of last change of each file
 * @param options what else decides what is written
 * @param startedAt when the load began, in milliseconds: the timestamp of its cells
 * @param records so many records, from the first on, are done with
 * @param rejected how many of them could not be loaded
 * @param rejectedBytes how long the file with these was
 */
record Checkpoint(
    int format,
    String table,
    String layout,
    List<String> inputs,
    String options,
    long startedAt,
    long records,
    long rejected,
    long rejectedBytes) {
  static final int FORMAT = 1;

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  Checkpoint {
    inputs = List.copyOf(inputs);
  }

  /** Names inputs so that one that has changed has another name. */
  static List<String> marks(List<Input> inputs) throws IOException {
    List<String> marks = new ArrayList<>();
    for (Input input : inputs) {
      Path path = input.path();
      marks.add(
          path == null
              ? input.name()
              : input.name()
                  + " bytes="
                  + input.size()
                  + " changed="
                  + Files.getLastModifiedTime(path).toMillis());
    }
    return marks;
  }

  /** The same, further on. */
  Checkpoint at(long done, long rejects, long rejectsBytes) {
    return new Checkpoint(
        format, table, layout, inputs, options, startedAt, done, rejects, rejectsBytes);
  }

  /** Whether both are of the same load: only then does going on give what it would have given. */
  boolean isSameLoad(Checkpoint other) {
    return at(0, 0, 0).equals(other.at(0, 0, 0).startedAt(startedAt));
  }

  private Checkpoint startedAt(long time) {
    return new Checkpoint(
        format, table, layout, inputs, options, time, records, rejected, rejectedBytes);
  }

  /**
   * Reads a file, or says that there is none.
   *
   * @throws LoadException if it is no such file, or of a later version
   */
  static @Nullable Checkpoint read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return null;
    }
    Checkpoint read;
    try {
      read = MAPPER.readValue(Files.readAllBytes(file), Checkpoint.class);
    } catch (IOException e) {
      throw new LoadException("not the checkpoint of a load: file=" + file + "; remove it", e);
    }
    if (read.format != FORMAT) {
      throw new LoadException(
          "checkpoint of another version: file="
              + file
              + " found="
              + read.format
              + " understood="
              + FORMAT
              + "; go on with the version that wrote it");
    }
    return read;
  }

  /** Writes it so that a crash leaves this one or the one before. */
  void write(Path file) throws IOException {
    WholeFile.write(file, MAPPER.writeValueAsBytes(this));
  }
}
