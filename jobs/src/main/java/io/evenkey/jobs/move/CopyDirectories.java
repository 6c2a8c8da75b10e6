package io.evenkey.jobs.move;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;

/**
 * Where the files of a table's copy are made: a directory for each attempt at a round, since the
 * job of a mover that was killed may still be writing to its own. Immutable.
 */
record CopyDirectories(Path work, TableName target) {
  private static final String ATTEMPT = "\\.\\d+\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

  Path next(int round) {
    return new Path(work, name() + "." + round + "." + UUID.randomUUID());
  }

  /** Deletes what attempts that were killed have left. */
  void clear(Configuration configuration) throws IOException {
    FileSystem files = work.getFileSystem(configuration);
    Pattern ours = Pattern.compile(Pattern.quote(name()) + ATTEMPT);
    try {
      for (FileStatus left : files.listStatus(work)) {
        if (ours.matcher(left.getPath().getName()).matches()) {
          files.delete(left.getPath(), true);
        }
      }
    } catch (FileNotFoundException e) {
      // Copied by puts, or by another who had another directory.
    }
  }

  private String name() {
    return target.getNameAsString().replace(':', '_');
  }
}
