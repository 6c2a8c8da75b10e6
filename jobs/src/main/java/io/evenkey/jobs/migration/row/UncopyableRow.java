/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.row;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A row that cannot be copied, as a task tells the migrator of it: in a file, since of what a task
 * throws not every framework says more than that it has failed. Stateless.
 */
public final class UncopyableRow {
  private static final String FILE = "evenkey.migration.misfit";

  private UncopyableRow() {}

  public static void addTo(Configuration configuration, Path directory) {
    configuration.set(FILE, new Path(directory, "misfit").toString());
  }

  /** Says what is wrong, and the remedy; of several rows, that of the last task remains. */
  public static void note(Configuration configuration, String problem) throws IOException {
    Path file = new Path(configuration.get(FILE, ""));
    try (FSDataOutputStream out = file.getFileSystem(configuration).create(file, true)) {
      out.write(problem.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** The message of the row that could not be copied, if there was one. */
  public static Optional<String> in(Configuration configuration) throws IOException {
    Path file = new Path(configuration.get(FILE, ""));
    FileSystem files = file.getFileSystem(configuration);
    if (!files.exists(file)) {
      return Optional.empty();
    }
    try (FSDataInputStream in = files.open(file)) {
      return Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}
