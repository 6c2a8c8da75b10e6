/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.layout.guard.FileStamp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;
import org.apache.hadoop.hbase.util.Pair;

/** Decides about a bulk load by what its files say of themselves. */
final class FilesCheck {
  private static final byte[] LAYOUT = FileStamp.LAYOUT.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] TURN = FileStamp.TURN.getBytes(StandardCharsets.US_ASCII);

  private FilesCheck() {}

  /** The first refusal, or {@link Outcome#ALLOWED}. */
  static Outcome of(TableRules rules, List<Pair<byte[], String>> files, Configuration conf)
      throws IOException {
    // Often no file can change the outcome.
    Outcome unnamed = rules.load(null, null);
    if (unnamed != Outcome.CLOSED && unnamed != Outcome.UNSTAMPED) {
      return unnamed;
    }
    for (Pair<byte[], String> file : files) {
      Outcome outcome = of(rules, file.getSecond(), conf);
      if (!outcome.allowed()) {
        return outcome;
      }
    }
    return Outcome.ALLOWED;
  }

  private static Outcome of(TableRules rules, String name, Configuration conf) throws IOException {
    try {
      Path file = new Path(name);
      try (HFile.Reader reader = HFile.createReader(file.getFileSystem(conf), file, conf)) {
        HFileInfo info = reader.getHFileInfo();
        return rules.load(info.get(LAYOUT), info.get(TURN));
      }
    } catch (RuntimeException | OutOfMemoryError e) {
      // A damaged file may name any length of a block: one request for too much memory is no end.
      throw new DoNotRetryIOException("file cannot be read: file=" + name, e);
    }
  }
}
