/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.copy;

import io.evenkey.jobs.compare.Cells;
import io.evenkey.jobs.migration.row.RowRewriter;
import io.evenkey.jobs.migration.row.UncopyableRow;
import io.evenkey.layout.text.LayoutException;
import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.mapreduce.Counter;
import org.jspecify.annotations.Nullable;

/** Rows under their new keys, no faster than is allowed, and counted. */
abstract class RateLimitedMapper<K, V> extends TableMapper<K, V> {
  /** Configuration key: the run of the migration that the job is of. */
  static final String TURN = "evenkey.migration.turn";

  private @Nullable RowRewriter rekeyed;
  private @Nullable RateLimiter pacer;
  private @Nullable Counter rows;

  /** Copies a row to where it is to be. */
  abstract void copy(byte[] row, Result result, Context context)
      throws IOException, InterruptedException;

  /** The round is over, or may be: what is not written yet is not to be written. */
  void abandon() {}

  @Override
  protected void setup(Context context) throws IOException {
    rekeyed = RowRewriter.in(context.getConfiguration());
    pacer = RateLimiter.in(context.getConfiguration());
    rows = context.getCounter(Copy.Count.ROWS);
  }

  @Override
  public final void run(Context context) throws IOException, InterruptedException {
    setup(context);
    try {
      while (pacer != null && !pacer.isCalledOff() && context.nextKeyValue()) {
        map(context.getCurrentKey(), context.getCurrentValue(), context);
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
    if (row != null) {
      copy(row, result, context);
      rows.increment(1);
    }
  }

  /** Null for what cannot be copied, but was deleted. */
  private byte @Nullable [] rekeyed(Result result, Context context) throws IOException {
    try {
      return Objects.requireNonNull(rekeyed).row(result);
    } catch (LayoutException e) {
      if (Cells.isDeleted(result)) {
        return null;
      }
      abandon();
      UncopyableRow.note(context.getConfiguration(), e);
      throw e;
    }
  }

  @Override
  protected void cleanup(Context context) throws IOException {
    if (pacer != null) {
      pacer.close();
    }
  }
}
