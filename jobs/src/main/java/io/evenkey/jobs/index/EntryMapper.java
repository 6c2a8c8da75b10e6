/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.jobs.mapreduce.TaskFailures;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.MapReduceExtendedCell;
import org.jspecify.annotations.Nullable;

/** The cells of the entries of rows from before an index, to be sorted into files. */
final class EntryMapper extends TableMapper<ImmutableBytesWritable, MapReduceExtendedCell> {
  /** Counted by the tasks. */
  enum Count {
    /** Rows that were read. */
    ROWS,
    /** Entries that were made. */
    ENTRIES
  }

  private static final String LAYOUT = "evenkey.index.layout";

  /** Rows for which a task waits at once. */
  private static final int PACED = 100;

  private @Nullable EarlierEntries entries;
  private @Nullable Layout layout;
  private RowPace pace = new RowPace(0);
  private int unpaced;

  /**
   * @param layout of the stored rows of the entries
   */
  static void addTo(Configuration configuration, Layout layout) {
    configuration.set(LAYOUT, layout.toString());
  }

  @Override
  public void run(Context context) throws IOException, InterruptedException {
    TaskFailures.written(context, () -> super.run(context));
  }

  @Override
  protected void setup(Context context) {
    entries = EarlierEntries.in(context.getConfiguration());
    layout = Layout.parse(context.getConfiguration().get(LAYOUT, ""));
    pace = TaskPace.in(context.getConfiguration());
  }

  @Override
  protected void map(ImmutableBytesWritable stored, Result row, Context context)
      throws IOException, InterruptedException {
    if (entries == null || layout == null) {
      throw new IllegalStateException("not set up");
    }
    if (++unpaced == PACED) {
      pace.await(unpaced);
      unpaced = 0;
    }
    context.getCounter(Count.ROWS).increment(1);
    List<Put> puts = entries.of(row);
    if (puts.isEmpty()) {
      return;
    }
    context.getCounter(Count.ENTRIES).increment(1);
    byte[] place = layout.physical(puts.get(0).getRow());
    ImmutableBytesWritable key = new ImmutableBytesWritable(place);
    for (Put put : puts) {
      for (List<Cell> cells : put.getFamilyCellMap().values()) {
        for (Cell cell : cells) {
          context.write(key, new MapReduceExtendedCell(placed(place, cell, put.getTTL())));
        }
      }
    }
  }

  // An entry of a key alone has the present time, as the server would give it.
  private static Cell placed(byte[] row, Cell cell, long timeToLive) {
    long time = cell.getTimestamp();
    Tag[] tags =
        timeToLive == Long.MAX_VALUE
            ? new Tag[0]
            : new Tag[] {new ArrayBackedTag(TagType.TTL_TAG_TYPE, Bytes.toBytes(timeToLive))};
    return new KeyValue(
        row,
        CellUtil.cloneFamily(cell),
        CellUtil.cloneQualifier(cell),
        time == HConstants.LATEST_TIMESTAMP ? System.currentTimeMillis() : time,
        CellUtil.cloneValue(cell),
        tags);
  }
}
