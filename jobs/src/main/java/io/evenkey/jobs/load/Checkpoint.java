/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.load;

import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.file.JsonFile;
import io.evenkey.jobs.records.Input;
import io.evenkey.layout.message.FailureMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a load, in a file that is replaced as a whole. Immutable.
 *
 * @param format the version of this file's format
 * @param table the table's name
 * @param layout its layout
 * @param inputs name, size in bytes and time of last change of each file
 * @param options the other options on which written rows depend
 * @param startedAt when the load began, in milliseconds: the timestamp of its cells
 * @param records the number of records, from the first on, that are written or rejected
 */
record Checkpoint(
    int format,
    String table,
    String layout,
    List<String> inputs,
    String options,
    long startedAt,
    long records) {
  static final int FORMAT = 2;

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

  /** Returns this checkpoint after {@code done} records. */
  Checkpoint at(long done) {
    return new Checkpoint(format, table, layout, inputs, options, startedAt, done);
  }

  /** Whether both are of the same load: only then does going on give what it would have given. */
  boolean isSameLoad(Checkpoint other) {
    return at(0).equals(other.at(0).startedAt(startedAt));
  }

  private Checkpoint startedAt(long time) {
    return new Checkpoint(format, table, layout, inputs, options, time, records);
  }

  /**
   * Reads a file, or says that there is none.
   *
   * @throws LoadException if the file is not a checkpoint, or of another version
   */
  static @Nullable Checkpoint read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return null;
    }
    return JsonFile.read(file, Checkpoint.class)
        .filter(read -> read.format == FORMAT)
        .orElseThrow(
            () ->
                new LoadException(
                    FailureMessage.of("not a checkpoint of an import by this version")
                        .with("file", file)
                        .remedy(Remedy.NAME_CHECKPOINT)));
  }

  /** Writes the first one of a load, where no file is. */
  void create(Path file) throws IOException {
    JsonFile.write(file, this, false);
  }

  /** Writes one and replaces an earlier one of the same table, so that a crash leaves either. */
  void replace(Path file) throws IOException {
    JsonFile.write(file, this, true);
  }
}
