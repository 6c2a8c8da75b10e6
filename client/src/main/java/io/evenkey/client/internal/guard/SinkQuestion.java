/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.guard;

import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.Refusal;
import io.evenkey.protocol.guard.ReplicatedWrites;
import io.evenkey.protocol.guard.ReplicationQuestion;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/**
 * A question to the guards of a table's regions: whether HBase's replication writes to it from
 * another cluster. The rows are of the layout there, so the table here cannot get another one
 * alone. The guards record the first such write, until an operator says that the replication has
 * {@linkplain #end ended}. Stateless.
 */
public final class SinkQuestion {
  /** A check of the cluster tells of what happened within this time. */
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
      ReplicatedWrites all = ReplicatedWrites.NONE;
      for (Object answer : answers(asked, questions)) {
        byte[] bytes = answer instanceof Result result ? result.getValue(ANSWER, ANSWER) : null;
        all = bytes == null ? all : all.and(ReplicatedWrites.parse(bytes));
      }
      return all;
    }
  }

  /**
   * Has the guards forget that replication has written to a table. They record the next write
   * again. The right to write to the table is needed.
   */
  public static void end(Connection plain, TableName table) throws IOException {
    try (Admin admin = plain.getAdmin();
        Table asked = plain.getTable(table)) {
      // Regions that open now know of no record, so the others are listed after it is deleted.
      put(asked, FIRST_ROW, ReplicationQuestion.ENDED);
      for (RegionInfo region : admin.getRegions(table)) {
        put(asked, row(region), ReplicationQuestion.FORGET);
      }
    }
  }

  private static void put(Table asked, byte[] row, ReplicationQuestion question)
      throws IOException {
    Put put = new Put(row).addColumn(ANSWER, ANSWER, question.toBytes());
    put.setAttribute(GuardAttributes.ASK, question.toBytes());
    try {
      asked.put(put);
    } catch (IOException e) {
      // A server without the guard has nothing to forget.
      if (!Refusal.of(e).equals(Optional.of(Refusal.ANSWER)) && !GuardQuestion.isNoFamily(e)) {
        throw e;
      }
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

  private static byte[] row(RegionInfo region) {
    byte[] start = region.getStartKey();
    return start.length == 0 ? FIRST_ROW : start;
  }

  private static Get question(RegionInfo region) {
    Get get = new Get(row(region)).setCacheBlocks(false).setMaxResultsPerColumnFamily(1);
    get.setAttribute(GuardAttributes.ASK, ReplicationQuestion.WRITES.toBytes());
    return get;
  }

  private static Object[] answers(Table asked, List<Get> questions) throws IOException {
    Object[] answers = new Object[questions.size()];
    try {
      asked.batch(questions, answers);
    } catch (IOException e) {
      // A guard of an earlier version refuses the question; the other answers are there.
      boolean isOfVersion =
          Arrays.stream(answers)
              .allMatch(each -> each instanceof Result || each instanceof DoNotRetryIOException);
      if (!isOfVersion) {
        throw e;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while regions were asked");
    }
    return answers;
  }
}
