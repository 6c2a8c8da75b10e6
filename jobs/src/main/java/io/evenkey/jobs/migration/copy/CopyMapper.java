/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.copy;

import io.evenkey.jobs.migration.row.RowRepairs;
import io.evenkey.jobs.migration.row.RowRewriter;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.MapReduceExtendedCell;

/** Cells under their new rows, to be sorted into files. */
final class CopyMapper extends RateLimitedMapper<ImmutableBytesWritable, Cell> {
  private boolean sorted;

  @Override
  protected void setup(Context context) throws IOException {
    super.setup(context);
    sorted = context.getNumReduceTasks() > 0;
  }

  @Override
  void copy(byte[] row, Result result, List<Cell> old, Context context)
      throws IOException, InterruptedException {
    ImmutableBytesWritable key = new ImmutableBytesWritable(row);
    for (Cell cell : result.rawCells()) {
      if (!RowRepairs.isMark(cell)) {
        write(key, RowRewriter.cell(row, cell), context);
      }
    }
    for (Cell tombstone : old) {
      write(new ImmutableBytesWritable(CellUtil.cloneRow(tombstone)), tombstone, context);
    }
  }

  private void write(ImmutableBytesWritable key, Cell cell, Context context)
      throws IOException, InterruptedException {
    context.write(key, sorted ? new MapReduceExtendedCell(cell) : cell);
  }
}
