/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.mapreduce;

import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.message.FailureMessage;
import java.io.Closeable;
import java.io.IOException;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;

/**
 * A new, uniquely named directory for the files of one job, inside a directory that a user has
 * named. Closing deletes it and leaves everything else. If the process is killed, it remains and
 * may be deleted.
 *
 * <pre>{@code
 * try (JobDirectory files = JobDirectory.in(work, "load", configuration)) {
 *   HFiles.addTo(job, HFiles.class, files.path());
 * }
 * }</pre>
 *
 * @param path the directory
 * @param files its file system
 */
public record JobDirectory(Path path, FileSystem files) implements Closeable {
  /**
   * Creates a directory.
   *
   * @param parent created if it does not exist, and never deleted
   * @param name the beginning of the directory's name
   * @throws IOException if it cannot be created
   */
  public static JobDirectory in(Path parent, String name, Configuration configuration)
      throws IOException {
    Path path = new Path(parent, name.replace(':', '_') + "-" + UUID.randomUUID());
    try {
      FileSystem files = path.getFileSystem(configuration);
      if (!files.exists(path) && files.mkdirs(path)) {
        return new JobDirectory(path, files);
      }
    } catch (FileAlreadyExistsException | ParentNotDirectoryException e) {
      // Other failures, such as safe mode, rights and quotas, say what they are.
      throw new EvenkeyException(
          FailureMessage.of("work directory cannot be made")
              .with("path", path)
              .with("reason", FailureMessage.reason(e))
              .remedy(Remedy.NAME_WORK),
          e);
    }
    throw new EvenkeyException(
        FailureMessage.of("work directory cannot be made")
            .with("path", path)
            .remedy(Remedy.NAME_WORK));
  }

  @Override
  public void close() throws IOException {
    files.delete(path, true);
  }
}
