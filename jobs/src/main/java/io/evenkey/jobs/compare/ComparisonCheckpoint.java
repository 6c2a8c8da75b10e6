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
 * @param pass what is being read
 * @param after the logical key, in hex, up to which that is compared; empty for none
 * @param rows of the first table
 * @param otherRows of the second
 * @param cells of the first
 * @param suspects logical keys, in hex, of rows that differed
 */
record ComparisonCheckpoint(
    int format,
    String tables,
    Pass pass,
    String after,
    long rows,
    long otherRows,
    long cells,
    List<String> suspects) {
  static final int FORMAT = 2;

  /** What a comparison reads, in the order of its passes. */
  enum Pass {
    /** Both tables, side by side, in the order of logical keys: the only pass. */
    BOTH,
    /** The first table in stored order; each row is looked up in the second. */
    FIRST,
    /** The second table in stored order; each row is looked up in the first. */
    SECOND
  }

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  ComparisonCheckpoint {
    suspects = List.copyOf(suspects);
  }

  static ComparisonCheckpoint begin(String tables, Pass pass) {
    return new ComparisonCheckpoint(FORMAT, tables, pass, "", 0, 0, 0, List.of());
  }

  /**
   * Where to begin.
   *
   * @param first the first pass of the comparison
   * @throws ComparisonException if the file is of another comparison, or if it is there although
   *     the comparison is not to resume one
   */
  static ComparisonCheckpoint of(@Nullable Path file, String tables, Pass first, boolean resume)
      throws IOException {
    if (file == null || !Files.exists(file)) {
      return begin(tables, first);
    }
    if (!resume) {
      throw new ComparisonException(
          "a comparison was interrupted: checkpoint="
              + file
              + "; go on with --resume, or remove the file");
    }
    ComparisonCheckpoint read = read(file);
    if (!read.tables.equals(tables) || (read.pass == Pass.BOTH) != (first == Pass.BOTH)) {
      throw new ComparisonException(
          "checkpoint of another comparison: file="
              + file
              + " of="
              + read.tables
              + "; name another with --checkpoint, or remove it");
    }
    return read;
  }

  private static ComparisonCheckpoint read(Path file) throws IOException {
    try {
      ComparisonCheckpoint read =
          MAPPER.readValue(Files.readAllBytes(file), ComparisonCheckpoint.class);
      if (read.format == FORMAT) {
        return read;
      }
    } catch (IOException e) {
      // Said below: the file's text is of no use to an operator.
    }
    throw new ComparisonException(
        "not the checkpoint of a comparison: file="
            + file
            + " format="
            + FORMAT
            + "; name another with --checkpoint, or remove it and compare from the beginning");
  }

  void write(Path file) throws IOException {
    WholeFile.write(file, MAPPER.writeValueAsBytes(this));
  }
}
