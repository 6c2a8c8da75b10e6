/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.guard;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.protocol.guard.GuardAnswer;
import io.evenkey.protocol.guard.GuardAttributes;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A question to the guard of one region: a Get, for which the right READ is enough, and which reads
 * no row. The connection has to be HBase's own. Stateless.
 */
public final class GuardQuestion {
  private static final byte[] FIRST_ROW = {0};
  private static final byte[] ANSWER = Bytes.toBytes(GuardAttributes.ANSWER);

  private GuardQuestion() {}

  /**
   * A question to a table's first region.
   *
   * @param revision the region reads the table's descriptor again if it acts by an earlier
   *     revision; 0 asks for what it acts by
   */
  public static Get toFirstRegion(long revision) {
    return to(FIRST_ROW, revision);
  }

  /**
   * A question to a region, or to a replica of one.
   *
   * @param revision the region reads the table's descriptor again if it acts by an earlier revision
   */
  public static Get to(RegionInfo region, long revision) {
    byte[] start = region.getStartKey();
    Get get = to(start.length == 0 ? FIRST_ROW : start, revision);
    return region.getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID
        ? get
        : get.setConsistency(Consistency.TIMELINE).setReplicaId(region.getReplicaId());
  }

  private static Get to(byte[] row, long revision) {
    Get get = new Get(row).setCacheBlocks(false).setMaxResultsPerColumnFamily(1);
    get.setAttribute(GuardAttributes.ASK, GuardAttributes.number(revision));
    return get;
  }

  /**
   * The guard's answer; empty if the region has no guard.
   *
   * @throws TableLayoutException if the answer is of a version that this one does not understand
   */
  public static Optional<GuardAnswer> answer(TableName table, Result result)
      throws TableLayoutException {
    Cell cell = result.getColumnLatestCell(ANSWER, ANSWER);
    if (cell == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(GuardAnswer.parse(CellUtil.cloneValue(cell)));
    } catch (IllegalArgumentException e) {
      TableLayoutException unknown =
          new TableLayoutException(
              table,
              "guard of the table answers in a form of another version",
              "reason=" + e.getMessage(),
              "update this client");
      unknown.initCause(e);
      throw unknown;
    }
  }

  /** Whether a server without the guard has failed to write a question in a Put. */
  public static boolean isNoFamily(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof NoSuchColumnFamilyException) {
        return true;
      }
    }
    return false;
  }

  /** Asks a table's first region. */
  public static Optional<GuardAnswer> ask(Connection plain, TableName table) throws IOException {
    try (Table asked = plain.getTable(table)) {
      return answer(table, asked.get(toFirstRegion(0)));
    }
  }
}
