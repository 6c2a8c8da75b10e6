/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.compare;

import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.file.JsonFile;
import io.evenkey.layout.message.FailureMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a comparison. Immutable.
 *
 * @param format the version of this file's format
 * @param tables both tables with their layouts
 * @param pass the table and order that is being read
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

  /** The passes of a comparison, in their order. */
  enum Pass {
    /** Both tables, side by side, in the order of logical keys: the only pass. */
    BOTH,
    /** The first table in stored order; each row is looked up in the second. */
    FIRST,
    /** The second table in stored order; each row is looked up in the first. */
    SECOND
  }

  ComparisonCheckpoint {
    suspects = List.copyOf(suspects);
  }

  static ComparisonCheckpoint begin(String tables, Pass pass) {
    return new ComparisonCheckpoint(FORMAT, tables, pass, "", 0, 0, 0, List.of());
  }

  /**
   * The row to begin with. A comparison that begins makes its file, so that no other can take the
   * path.
   *
   * @param first the first pass of the comparison
   * @throws ComparisonException if the file is something else, or that of a comparison that was
   *     interrupted and is not to be resumed
   */
  static ComparisonCheckpoint of(@Nullable Path file, String tables, Pass first, boolean resume)
      throws IOException {
    ComparisonCheckpoint fresh = begin(tables, first);
    if (file == null) {
      return fresh;
    }
    if (!Files.exists(file)) {
      JsonFile.write(file, fresh, false);
      return fresh;
    }
    ComparisonCheckpoint read =
        JsonFile.read(file, ComparisonCheckpoint.class)
            .filter(found -> found.format == FORMAT)
            .orElseThrow(
                () ->
                    new ComparisonException(
                        FailureMessage.of("not a checkpoint of a comparison by this version")
                            .with("file", file)
                            .remedy(Remedy.NAME_CHECKPOINT)));
    if (!read.tables.equals(tables) || (read.pass == Pass.BOTH) != (first == Pass.BOTH)) {
      throw new ComparisonException(
          FailureMessage.of("checkpoint of another comparison")
              .with("file", file)
              .with("of", read.tables)
              .remedy(Remedy.NAME_CHECKPOINT));
    }
    if (!resume && !read.equals(fresh)) {
      throw new ComparisonException(
          FailureMessage.of("a comparison was interrupted")
              .with("checkpoint", file)
              .remedy(Remedy.RESUME_COMPARISON + ", or delete the file"));
    }
    return read;
  }

  void write(Path file) throws IOException {
    JsonFile.write(file, this, true);
  }
}
