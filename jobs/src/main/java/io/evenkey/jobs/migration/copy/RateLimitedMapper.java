/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.copy;

import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.compare.Cells;
import io.evenkey.jobs.migration.row.NextKeys;
import io.evenkey.jobs.migration.row.RowRewriter;
import io.evenkey.jobs.migration.row.UncopyableRow;
import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.text.LayoutException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.Counter;
import org.jspecify.annotations.Nullable;

/** Rows under their new keys, no faster than is allowed, and counted. */
abstract class RateLimitedMapper<K, V> extends TableMapper<K, V> {
  /** Configuration key: the run of the migration that the job is of. */
  static final String TURN = "evenkey.migration.turn";

  /** Rows whose next keys are added at once. */
  private static final int ADDED_AT_ONCE = 200;

  /**
   * A row that is to be written.
   *
   * @param row where it is to be
   * @param stored as it is stored
   */
  @SuppressWarnings("ArrayRecordComponent") // written, never compared
  private record Rewritten(byte[] row, Result stored) {}

  private final List<Rewritten> waiting = new ArrayList<>();
  private @Nullable Connection connection;

  // Null if rows have one next key for ever.
  private @Nullable Table nextKeys;
  private @Nullable RowRewriter rekeyed;
  private @Nullable RateLimiter pacer;
  private @Nullable Counter rows;

  /**
   * Copies a row to where it is to be.
   *
   * @param old tombstones that hide it where it was
   */
  abstract void copy(byte[] row, Result result, List<Cell> old, Context context)
      throws IOException, InterruptedException;

  /** The round is over, or may be: what is not written yet is not to be written. */
  void abandon() {}

  @Override
  protected void setup(Context context) throws IOException {
    rekeyed = RowRewriter.in(context.getConfiguration());
    pacer = RateLimiter.in(context.getConfiguration());
    rows = context.getCounter(Copy.Count.ROWS);
    if (rekeyed.takesColumns()) {
      TableName target = TableName.valueOf(context.getConfiguration().get(Copy.TARGET, ""));
      connection = ConnectionFactory.createConnection(context.getConfiguration());
      nextKeys = connection.getTable(NextKeys.table(target));
    }
  }

  @Override
  public final void run(Context context) throws IOException, InterruptedException {
    setup(context);
    try {
      while (pacer != null && !pacer.isCalledOff() && context.nextKeyValue()) {
        map(context.getCurrentKey(), context.getCurrentValue(), context);
      }
      if (pacer != null && !pacer.isCalledOff()) {
        writeWaiting(context);
      }
    } finally {
      cleanup(context);
    }
  }

  @Override
  protected final void map(ImmutableBytesWritable stored, Result result, Context context)
      throws IOException, InterruptedException {
    if (rekeyed == null || pacer == null || rows == null) {
      throw new IllegalStateException("not set up");
    }
    try {
      pacer.await(context::progress);
    } catch (IOException e) {
      abandon();
      throw e;
    }
    byte[] row = rekeyed(result, context);
    if (row == null) {
      return;
    }
    if (nextKeys == null) {
      write(row, result, context);
      return;
    }
    waiting.add(new Rewritten(row, result));
    if (waiting.size() == ADDED_AT_ONCE) {
      writeWaiting(context);
    }
  }

  private void write(byte[] row, Result stored, Context context)
      throws IOException, InterruptedException {
    copy(row, stored, Objects.requireNonNull(rekeyed).tombstones(stored), context);
    Objects.requireNonNull(rows).increment(1);
  }

  /** Writes rows, when their next keys are added. */
  private void writeWaiting(Context context) throws IOException, InterruptedException {
    if (nextKeys == null || waiting.isEmpty()) {
      return;
    }
    Layout next = Objects.requireNonNull(rekeyed).to();
    List<Put> added = new ArrayList<>(waiting.size());
    for (Rewritten row : waiting) {
      added.add(NextKeys.added(row.stored.getRow(), next.logical(row.row)));
    }
    nextKeys.put(added);
    for (Rewritten row : waiting) {
      write(row.row, row.stored, context);
    }
    waiting.clear();
  }

  /** Null for what stays where it is, and for what cannot be copied, but was deleted. */
  private byte @Nullable [] rekeyed(Result result, Context context) throws IOException {
    RowRewriter rewriter = Objects.requireNonNull(rekeyed);
    try {
      return rewriter.row(result);
    } catch (LayoutException e) {
      if (!Cells.isDeleted(result)) {
        refuse(
            e.getMessage()
                + "; delete it, or write it again as it should be, and "
                + Remedy.RESUME_MIGRATION,
            context);
        throw e;
      }
      if (rewriter.isInTheWay(result)) {
        String problem =
            "tombstones that an earlier step has left would hide the row that is moved there: row="
                + Bytes.toStringBinary(result.getRow())
                + "; compactions keep them while the table is migrated: "
                + Remedy.ROLL_BACK
                + ", run major_compact on the table, and begin again";
        refuse(problem, context);
        throw new EvenkeyException(problem);
      }
      return null;
    }
  }

  private void refuse(String problem, Context context) throws IOException {
    abandon();
    UncopyableRow.note(context.getConfiguration(), problem);
  }

  @Override
  protected void cleanup(Context context) throws IOException {
    if (pacer != null) {
      pacer.close();
    }
    if (connection != null) {
      connection.close();
    }
  }
}
