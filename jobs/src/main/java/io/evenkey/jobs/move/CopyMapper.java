package io.evenkey.jobs.move;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.hbase.util.MapReduceExtendedCell;
import org.apache.hadoop.mapreduce.Counter;
import org.jspecify.annotations.Nullable;

/** Cells under their new rows, to be sorted into files. */
final class CopyMapper extends TableMapper<ImmutableBytesWritable, Cell> {
  private @Nullable Rekeyed rekeyed;
  private @Nullable Pacer pacer;
  private @Nullable Counter rows;
  private boolean sorted;

  @Override
  protected void setup(Context context) throws IOException {
    rekeyed = Rekeyed.in(context.getConfiguration());
    pacer = Pacer.in(context.getConfiguration());
    rows = context.getCounter(Copy.Count.ROWS);
    sorted = context.getNumReduceTasks() > 0;
  }

  @Override
  public void run(Context context) throws IOException, InterruptedException {
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
  protected void map(ImmutableBytesWritable stored, Result result, Context context)
      throws IOException, InterruptedException {
    if (rekeyed == null || pacer == null) {
      throw new IllegalStateException("not set up");
    }
    pacer.await(context::progress);
    byte[] row = rekeyed.row(result);
    ImmutableBytesWritable key = new ImmutableBytesWritable(row);
    for (Cell cell : result.rawCells()) {
      Cell moved = Rekeyed.cell(row, cell);
      context.write(key, sorted ? new MapReduceExtendedCell(moved) : moved);
    }
    if (rows != null) {
      rows.increment(1);
    }
  }

  @Override
  protected void cleanup(Context context) {
    if (pacer != null) {
      pacer.close();
    }
  }
}
