/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.copy;

import io.evenkey.jobs.mapreduce.JobDirectory;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;

/**
 * The directories in which the files of a table's copy are made: a directory for each attempt at a
 * round, since the job of a migrator that was killed may still be writing to its own. A file in
 * each names the cluster and the table whose copy it is of: by that, and by nothing else, those
 * that killed attempts left are known again. Immutable.
 */
public record CopyDirectories(Path work, TableName target) {
  private static final String ATTEMPT = "\\.\\d+-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
  private static final String MARK = "evenkey-copy";

  /** Makes the directory of the next attempt at a round. */
  Path make(Configuration configuration, int round) throws IOException {
    JobDirectory attempt = JobDirectory.in(work, name() + "." + round, configuration);
    try (FSDataOutputStream out = attempt.files().create(new Path(attempt.path(), MARK), false)) {
      out.write(mark(configuration));
    }
    return attempt.path();
  }

  /** Deletes what attempts that were killed have left. */
  public void clear(Configuration configuration) throws IOException {
    FileSystem files = work.getFileSystem(configuration);
    Pattern ours = Pattern.compile(Pattern.quote(name()) + ATTEMPT);
    try {
      for (FileStatus left : files.listStatus(work)) {
        if (ours.matcher(left.getPath().getName()).matches()
            && isMarked(files, left.getPath(), mark(configuration))) {
          files.delete(left.getPath(), true);
        }
      }
    } catch (FileNotFoundException e) {
      // Copied by puts, or by another who had another directory.
    }
  }

  private static boolean isMarked(FileSystem files, Path directory, byte[] mark)
      throws IOException {
    Path file = new Path(directory, MARK);
    if (!files.exists(file) || files.getFileStatus(file).getLen() != mark.length) {
      return false;
    }
    try (FSDataInputStream in = files.open(file)) {
      return Arrays.equals(in.readAllBytes(), mark);
    }
  }

  private byte[] mark(Configuration configuration) {
    String cluster = ZKConfig.getZooKeeperClusterKey(configuration);
    return ("copy to table " + target + " of " + cluster + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private String name() {
    return target.getNameAsString().replace(':', '_');
  }
}
