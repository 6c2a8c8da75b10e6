package io.evenkey.app.cluster;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a job makes directories for its files: one that a user named, of which nothing is deleted
 * but these, or a temporary one, which is deleted as a whole.
 */
public final class WorkDirectory implements Closeable {
  private final Path path;
  private final @Nullable File temporary;

  private WorkDirectory(Path path, @Nullable File temporary) {
    this.path = path;
    this.temporary = temporary;
  }

  /**
   * The directory of a job.
   *
   * @param named on any file system of Hadoop's; null for a temporary one of this machine
   */
  public static WorkDirectory of(@Nullable String named) throws IOException {
    if (named != null) {
      return new WorkDirectory(new Path(named), null);
    }
    File temporary = Files.createTempDirectory("evenkey-work").toFile();
    return new WorkDirectory(new Path(temporary.toURI()), temporary);
  }

  /** The directory. */
  public Path path() {
    return path;
  }

  @Override
  public void close() {
    if (temporary != null) {
      // As far as it can be: the system clears what is left.
      FileUtil.fullyDelete(temporary);
    }
  }
}
