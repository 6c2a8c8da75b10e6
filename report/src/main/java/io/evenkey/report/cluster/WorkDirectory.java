/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.cluster;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * The parent of a job's directories. A directory that a user named keeps everything but the job's
 * directories; a temporary one is deleted as a whole, at the latest when the process ends.
 */
public final class WorkDirectory implements Closeable {
  private final Path path;
  private final @Nullable File temporary;
  private final Thread deletion = new Thread(this::delete, "work directory");

  private WorkDirectory(Path path, @Nullable File temporary) {
    this.path = path;
    this.temporary = temporary;
  }

  /**
   * The directory of a job.
   *
   * @param named a directory on any Hadoop file system; null for a temporary one on this machine
   */
  public static WorkDirectory of(@Nullable String named) throws IOException {
    if (named != null) {
      return new WorkDirectory(new Path(named), null);
    }
    File temporary = Files.createTempDirectory("evenkey-work").toFile();
    WorkDirectory directory = new WorkDirectory(new Path(temporary.toURI()), temporary);
    Runtime.getRuntime().addShutdownHook(directory.deletion);
    return directory;
  }

  /** The directory. */
  public Path path() {
    return path;
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(deletion);
      delete();
    } catch (IllegalStateException e) {
      // The process ends, and deletes it.
    }
  }

  private void delete() {
    if (temporary != null) {
      // Best effort: the operating system removes the rest.
      FileUtil.fullyDelete(temporary);
    }
  }
}
