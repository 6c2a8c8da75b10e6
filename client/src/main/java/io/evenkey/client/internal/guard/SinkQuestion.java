/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.guard;

import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.ReplicatedWrites;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/**
 * A question to the guards of a table's regions: whether HBase's replication writes to it from
 * another cluster. The rows are of the layout there, so the table here cannot get another one
 * alone. Regions know of such writes since they opened; a table of which they know none may be a
 * sink all the same. Stateless.
 */
public final class SinkQuestion {
  /** A table that was not written so for this long is taken for one that is no sink any more. */
  public static final Duration RECENT = Duration.ofMinutes(10);

  private static final byte[] ANSWER = GuardAttributes.ANSWER.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FIRST_ROW = {0};

  private SinkQuestion() {}

  /**
   * Asks all regions, by one request to each region server.
   *
   * @param plain HBase's own connection
   * @return what the regions that answer know; those without the guard, or with an earlier one, do
   *     not
   */
  public static ReplicatedWrites ask(Connection plain, TableName table) throws IOException {
    List<Get> questions = new ArrayList<>();
    try (Admin admin = plain.getAdmin();
        Table asked = plain.getTable(table)) {
      if (admin.isTableDisabled(table)) {
        // HBase's client would look for its regions until all attempts are used up.
        return ReplicatedWrites.NONE;
      }
      for (RegionInfo region : admin.getRegions(table)) {
        questions.add(question(region));
      }
      Object[] answers = new Object[questions.size()];
      batch(asked, questions, answers);
      ReplicatedWrites all = ReplicatedWrites.NONE;
      for (Object answer : answers) {
        byte[] bytes = answer instanceof Result result ? result.getValue(ANSWER, ANSWER) : null;
        all = bytes == null ? all : all.and(ReplicatedWrites.parse(bytes));
      }
      return all;
    }
  }

  /** Whether a moment of an answer is {@linkplain #RECENT recent}. */
  public static boolean isRecent(long ms) {
    return System.currentTimeMillis() - ms < RECENT.toMillis();
  }

  /** A moment of an answer, as it is shown. */
  public static String shown(long ms) {
    return Instant.ofEpochMilli(ms).toString();
  }

  private static Get question(RegionInfo region) {
    byte[] start = region.getStartKey();
    Get get =
        new Get(start.length == 0 ? FIRST_ROW : start)
            .setCacheBlocks(false)
            .setMaxResultsPerColumnFamily(1);
    get.setAttribute(GuardAttributes.ASK, ReplicatedWrites.ask());
    return get;
  }

  private static void batch(Table asked, List<Get> questions, Object[] answers)
      throws InterruptedIOException {
    try {
      asked.batch(questions, answers);
    } catch (IOException e) {
      // A guard of an earlier version refuses the question; the other answers are there.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while regions were asked");
    }
  }
}
