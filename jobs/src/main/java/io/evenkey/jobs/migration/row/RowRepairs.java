/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.row;

import io.evenkey.protocol.guard.ChangeMark;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;

/**
 * Makes rows of the secondary generation as they are in the primary, many at a time: the versions
 * that readers can see, and the tombstones, with their timestamps, types and tags. What only
 * readers of the secondary would see is hidden by a tombstone of its version. Done twice, it
 * changes nothing. Not thread-safe.
 */
public final class RowRepairs {
  /** Whether a request is sent again if it may have been made already. */
  public enum Sending {
    /** Yes: what arrives late is refused when the next pass has begun. */
    REPEATED,
    /** No: nothing refuses what arrives late, so a repair whose answer is lost fails. */
    ONCE
  }

  private final RepairedRows rows;

  /**
   * Repairs rows that have the same logical key in both generations.
   *
   * @param tagged a connection to which region servers send tags
   * @param versions the versions that the families keep
   * @param turn the run of the migration
   */
  public RowRepairs(
      AsyncConnection tagged,
      KeptVersions versions,
      GenerationSide primary,
      GenerationSide secondary,
      long turn,
      Sending sending) {
    this.rows = new RepairedRows(tagged, versions, primary, secondary, turn, sending);
  }

  /**
   * Repairs.
   *
   * @param keys logical keys
   * @return those of rows that differed
   */
  public List<byte[]> repair(List<byte[]> keys) throws IOException {
    List<byte[]> differed = new ArrayList<>();
    for (List<byte[]> some : RepairedRows.parts(keys)) {
      some(some, differed);
    }
    return differed;
  }

  private void some(List<byte[]> keys, List<byte[]> differed) throws IOException {
    List<CompletableFuture<List<Result>>> rights = new ArrayList<>(keys.size());
    List<CompletableFuture<List<Result>>> others = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      rights.add(rows.primary(key));
      others.add(rows.secondary(key));
    }
    List<Row> mutations = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      Cell[] right = RepairedRows.cells(rights.get(i));
      Cell[] has = RepairedRows.cells(others.get(i));
      int before = mutations.size();
      rows.add(keys.get(i), right, has, mutations);
      if (mutations.size() > before) {
        differed.add(keys.get(i));
      }
    }
    rows.send(mutations);
  }

  /** Whether a cell is the guard's own, of the generation that it is in. */
  public static boolean isMark(Cell cell) {
    return ChangeMark.isMark(
        cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength());
  }
}
