package io.evenkey.jobs.compare;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.evenkey.jobs.file.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a comparison is. Immutable.
 *
 * @param format the version of this file's format
 * @param tables both tables with their layouts
 * @param after the logical key, in hex, up to which all is compared; empty for none
 * @param rows of the first table
 * @param otherRows of the second
 * @param cells of the first
 * @param suspects logical keys, in hex, of rows that differed
 */
record ComparisonCheckpoint(
    int format,
    String tables,
    String after,
    long rows,
    long otherRows,
    long cells,
    List<String> suspects) {
  static final int FORMAT = 1;

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  ComparisonCheckpoint {
    suspects = List.copyOf(suspects);
  }

  static ComparisonCheckpoint begin(String tables) {
    return new ComparisonCheckpoint(FORMAT, tables, "", 0, 0, 0, List.of());
  }

  /**
   * Where to begin.
   *
   * @throws ComparisonException if the file is of another comparison, or is there though nobody
   *     said to go on
   */
  static ComparisonCheckpoint of(@Nullable Path file, String tables, boolean resume)
      throws IOException {
    if (file == null || !Files.exists(file)) {
      return begin(tables);
    }
    if (!resume) {
      throw new ComparisonException(
          "a comparison was interrupted: checkpoint="
              + file
              + "; go on with --resume, or remove the file");
    }
    ComparisonCheckpoint read;
    try {
      read = MAPPER.readValue(Files.readAllBytes(file), ComparisonCheckpoint.class);
    } catch (IOException e) {
      throw new ComparisonException(
          "not the checkpoint of a comparison: file=" + file + "; remove it");
    }
    if (read.format != FORMAT || !read.tables.equals(tables)) {
      throw new ComparisonException(
          "checkpoint of another comparison: file="
              + file
              + " of="
              + read.tables
              + "; name another with --checkpoint, or remove it");
    }
    return read;
  }

  void write(Path file) throws IOException {
    WholeFile.write(file, MAPPER.writeValueAsBytes(this));
  }
}
