package io.evenkey.jobs.move;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Counter;
import org.jspecify.annotations.Nullable;

/** Rows written under their new keys, one after the other. */
final class PutMapper extends TableMapper<NullWritable, NullWritable> {
  /** Configuration key: the table that is written. */
  static final String TARGET = "evenkey.move.target";

  private @Nullable Rekeyed rekeyed;
  private @Nullable Pacer pacer;
  private @Nullable Counter rows;
  private @Nullable Connection connection;
  private @Nullable BufferedMutator target;

  @Override
  protected void setup(Context context) throws IOException {
    rekeyed = Rekeyed.in(context.getConfiguration());
    pacer = Pacer.in(context.getConfiguration());
    rows = context.getCounter(Copy.Count.ROWS);
    connection = ConnectionFactory.createConnection(context.getConfiguration());
    target =
        connection.getBufferedMutator(
            TableName.valueOf(context.getConfiguration().get(TARGET, "")));
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
      throws IOException {
    if (rekeyed == null || pacer == null || target == null) {
      throw new IllegalStateException("not set up");
    }
    await(context);
    byte[] row = rekeyed.row(result);
    Put put = new Put(row);
    Delete delete = new Delete(row);
    for (Cell cell : result.rawCells()) {
      Cell moved = Rekeyed.cell(row, cell);
      if (cell.getType() == Cell.Type.Put) {
        put.add(moved);
      } else {
        delete.add(moved);
      }
    }
    List<Mutation> mutations = new ArrayList<>(2);
    if (!put.isEmpty()) {
      mutations.add(put);
    }
    if (!delete.isEmpty()) {
      mutations.add(delete);
    }
    target.mutate(mutations);
    if (rows != null) {
      rows.increment(1);
    }
  }

  private void await(Context context) throws IOException {
    if (pacer == null) {
      return;
    }
    try {
      pacer.await(context::progress);
    } catch (IOException e) {
      // What is buffered is not to be written any more.
      target = null;
      throw e;
    }
  }

  @Override
  protected void cleanup(Context context) throws IOException {
    if (pacer != null) {
      pacer.close();
    }
    if (target != null) {
      target.close();
    }
    if (connection != null) {
      connection.close();
    }
  }
}
