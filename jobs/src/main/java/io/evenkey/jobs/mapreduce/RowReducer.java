/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.mapreduce;

import io.evenkey.jobs.load.DuplicateKeyPolicy;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.MapReduceExtendedCell;
import org.apache.hadoop.mapreduce.Reducer;
import org.jspecify.annotations.Nullable;

/**
 * Sorts the cells of a row, and deals with records of the same key as {@link DuplicateKeyPolicy}
 * has it: as if the records had been put one after the other, in the same millisecond.
 */
final class RowReducer extends Reducer<ImmutableBytesWritable, Put, ImmutableBytesWritable, Cell> {
  /** Configuration key: what is done about records with the same key. */
  static final String ON_COLLISION = "evenkey.load.on-collision";

  private static final int EXAMPLES = 3;

  private DuplicateKeyPolicy policy = DuplicateKeyPolicy.REPORT;
  private @Nullable Layout layout;
  private @Nullable SideFile collisions;
  private int examples;
  private @Nullable LoadedTables tables;

  @Override
  public void run(Context context) throws IOException, InterruptedException {
    TaskFailures.written(context, () -> super.run(context));
  }

  @Override
  protected void setup(Context context) throws IOException {
    policy =
        DuplicateKeyPolicy.valueOf(
            context.getConfiguration().get(ON_COLLISION, DuplicateKeyPolicy.REPORT.name()));
    layout = Layout.parse(context.getConfiguration().get(RecordMapper.LAYOUT, ""));
    collisions = SideFile.of(context, SideFile.COLLISIONS);
    tables = LoadedTables.in(context.getConfiguration());
  }

  @Override
  protected void reduce(ImmutableBytesWritable row, Iterable<Put> puts, Context context)
      throws IOException, InterruptedException {
    if (tables().isEntry(row.copyBytes())) {
      entry(row, puts, context);
      return;
    }
    List<Put> records = new ArrayList<>();
    // Deserialized again for each: none is used twice.
    puts.forEach(records::add);
    if (records.size() > 1) {
      records.sort(
          Comparator.comparing(put -> Bytes.toLong(put.getAttribute(RecordMapper.NUMBER))));
      collision(row, records.size() - 1, context);
    }
    TreeSet<Cell> cells = new TreeSet<>(CellComparator.getInstance());
    int kept = policy == DuplicateKeyPolicy.KEEP_FIRST ? 1 : records.size();
    // The last first: of two cells of one column and time, the set keeps the one it has.
    for (int i = kept - 1; i >= 0; i--) {
      records.get(i).getFamilyCellMap().values().forEach(cells::addAll);
    }
    for (Cell cell : cells) {
      context.write(row, new MapReduceExtendedCell(cell));
    }
  }

  private LoadedTables tables() {
    return Objects.requireNonNull(tables, "set up");
  }

  /** Entries of one row that several records have are columns of their own. */
  private static void entry(ImmutableBytesWritable row, Iterable<Put> puts, Context context)
      throws IOException, InterruptedException {
    TreeSet<Cell> cells = new TreeSet<>(CellComparator.getInstance());
    for (Put put : puts) {
      put.getFamilyCellMap().values().forEach(cells::addAll);
    }
    for (Cell cell : cells) {
      context.write(row, new MapReduceExtendedCell(cell));
    }
  }

  private void collision(ImmutableBytesWritable row, int more, Context context) throws IOException {
    context.getCounter(RecordMapper.Count.COLLISIONS).increment(more);
    if (examples++ < EXAMPLES && layout != null && collisions != null) {
      collisions.add(layout.decode(tables().row(row.copyBytes())) + " " + (more + 1) + " times");
    }
  }

  @Override
  protected void cleanup(Context context) throws IOException {
    if (collisions != null) {
      collisions.close();
    }
  }
}
