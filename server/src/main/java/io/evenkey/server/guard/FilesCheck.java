/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.protocol.guard.FileStamp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;

/**
 * Decides about a bulk load by what its files say of themselves, and by their rows if they name no
 * layout. For one thread.
 */
final class FilesCheck {
  private static final byte[] LAYOUT = FileStamp.LAYOUT.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] TURN = FileStamp.TURN.getBytes(StandardCharsets.US_ASCII);

  private final TableRules rules;
  private final Questions questions;
  private final Configuration conf;
  private @Nullable FileRows rows;

  private FilesCheck(TableRules rules, Questions questions, Configuration conf) {
    this.rules = rules;
    this.questions = questions;
    this.conf = conf;
  }

  /**
   * Checks the files.
   *
   * @throws IOException the first refusal
   */
  static void check(
      TableRules rules, Questions questions, List<Pair<byte[], String>> files, Configuration conf)
      throws IOException {
    // Often no file can change the outcome.
    Outcome unnamed = rules.load(null, null);
    boolean isSame =
        unnamed != Outcome.CLOSED && unnamed != Outcome.UNSTAMPED && !rules.checksFiles();
    if (!isSame) {
      FilesCheck check = new FilesCheck(rules, questions, conf);
      for (Pair<byte[], String> file : files) {
        check.check(file.getSecond());
      }
    } else if (!unnamed.allowed()) {
      throw questions.refused(unnamed, rules, true);
    }
  }

  private void check(String name) throws IOException {
    try {
      Path file = new Path(name);
      try (HFile.Reader reader = HFile.createReader(file.getFileSystem(conf), file, conf)) {
        HFileInfo info = reader.getHFileInfo();
        byte[] layout = info.get(LAYOUT);
        byte[] turn = info.get(TURN);
        Outcome outcome = rules.load(layout, turn);
        if (!outcome.allowed()) {
          throw questions.refused(outcome, rules, true);
        }
        // A turn counts in a closed table only.
        if (layout == null && rules.checksFiles()) {
          rows = rows == null ? new FileRows(rules, questions, conf) : rows;
          rows.check(reader);
        }
      }
    } catch (RuntimeException | OutOfMemoryError e) {
      // A damaged file may name any length of a block: one request for too much memory is no end.
      throw new DoNotRetryIOException("file cannot be read: file=" + name, e);
    }
  }
}
