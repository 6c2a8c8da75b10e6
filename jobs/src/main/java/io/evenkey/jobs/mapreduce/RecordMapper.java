/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.mapreduce;

import io.evenkey.client.cell.CellColumn;
import io.evenkey.jobs.load.RecordRows;
import io.evenkey.jobs.records.InputException;
import io.evenkey.jobs.records.RecordCursor;
import io.evenkey.jobs.records.WrittenTimes;
import io.evenkey.jobs.split.BucketRows;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.text.LayoutException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.jspecify.annotations.Nullable;

/** Makes rows of records; tells of those that cannot be rows in a side file. */
final class RecordMapper
    extends Mapper<LongWritable, RecordFiles.Current, ImmutableBytesWritable, Put> {
  /** Configuration keys of what {@link RecordRows} needs. */
  static final String LAYOUT = "evenkey.load.layout";

  static final String COLUMNS = "evenkey.load.columns";
  static final String FAMILY = "evenkey.load.family";

  /** Returns hexadecimal digits, which any configuration keeps unchanged. */
  static final String FAMILIES = "evenkey.load.families";

  static final String TIMES = "evenkey.load.times";
  static final String TIMESTAMP = "evenkey.load.timestamp";

  /** The attribute of a row that has its record's number. */
  static final String NUMBER = "evenkey.record";

  /** A group of counters: times that are hardly what they were taken for, by unit. */
  static final String ODD_TIMES = "evenkey.odd.times";

  /** Rejected records, of all tasks. */
  enum Count {
    /** Records that were read. */
    RECORDS,
    /** Records that cannot be rows. */
    REJECTED,
    /** Records with the key of one before them. */
    COLLISIONS
  }

  private final ImmutableBytesWritable key = new ImmutableBytesWritable();
  private @Nullable RecordRows rows;
  private @Nullable LoadedTables tables;
  private @Nullable EntryRows entries;
  private @Nullable SideFile rejects;
  private @Nullable BucketRows buckets;
  private long timestamp;

  @Override
  public void run(Context context) throws IOException, InterruptedException {
    TaskFailures.written(context, () -> super.run(context));
  }

  @Override
  protected void setup(Context context) throws IOException, InterruptedException {
    timestamp = context.getConfiguration().getLong(TIMESTAMP, 0);
    rejects = SideFile.of(context, SideFile.REJECTS);
    buckets = new BucketRows(layout(context.getConfiguration()));
    LoadedTables loaded = LoadedTables.in(context.getConfiguration());
    tables = loaded;
    if (loaded.hasIndexes()) {
      entries = EntryRows.of(loaded, layout(context.getConfiguration()));
    }
  }

  @Override
  protected void map(LongWritable number, RecordFiles.Current current, Context context)
      throws IOException, InterruptedException {
    context.getCounter(Count.RECORDS).increment(1);
    RecordRows open = rows;
    if (open == null) {
      Configuration configuration = context.getConfiguration();
      open =
          RecordRows.of(
              current.source(),
              layout(configuration),
              columns(configuration),
              configuration.get(FAMILY, ""),
              decoded(configuration.get(FAMILIES, "")),
              times(configuration));
      rows = open;
    }
    try {
      InputException problem = current.problem();
      if (problem != null) {
        throw problem;
      }
      RecordCursor cursor = current.cursor();
      byte[] logical = open.logicalKey(cursor);
      List<RecordRows.Value> values = open.values(cursor);
      List<EntryRows.Keyed> ofRow = entries(current, open.put(logical, values, timestamp));
      byte[] row = open.row(logical, number.get());
      Put put = open.put(row, values, timestamp);
      put.setAttribute(NUMBER, Bytes.toBytes(number.get()));
      key.set(tables().key(0, row));
      context.write(key, put);
      Objects.requireNonNull(buckets, "set up").add(row);
      for (EntryRows.Keyed entry : ofRow) {
        key.set(entry.key());
        context.write(key, entry.put());
      }
    } catch (InputException e) {
      if (!e.isOfOneRecord() || rejects == null) {
        throw e;
      }
      context.getCounter(Count.REJECTED).increment(1);
      rejects.add(current.source().name(), String.valueOf(e.line()), e.column(), e.problem());
    }
  }

  private static @Nullable WrittenTimes times(Configuration configuration) {
    String name = configuration.get(TIMES, "");
    return name.isEmpty() ? null : WrittenTimes.of(name);
  }

  static String encoded(List<String> families) {
    return ByteText.hex(String.join("\n", families).getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> decoded(String families) {
    return new String(ByteText.fromHex(families), StandardCharsets.UTF_8).lines().toList();
  }

  private LoadedTables tables() {
    return Objects.requireNonNull(tables, "set up");
  }

  private List<EntryRows.Keyed> entries(RecordFiles.Current current, Put row) throws IOException {
    if (entries == null) {
      return List.of();
    }
    try {
      return entries.of(row, timestamp);
    } catch (LayoutException e) {
      throw InputException.value(
          current.source(),
          current.cursor(),
          "of the index",
          "record that an index cannot hold: " + e.getMessage());
    }
  }

  static Layout layout(Configuration configuration) {
    return Layout.parse(configuration.get(LAYOUT, ""));
  }

  static List<CellColumn> columns(Configuration configuration) {
    List<CellColumn> columns = new ArrayList<>();
    for (String column : configuration.get(COLUMNS, "").lines().toList()) {
      if (!column.isEmpty()) {
        columns.add(CellColumn.parse(column));
      }
    }
    return columns;
  }

  @Override
  protected void cleanup(Context context) throws IOException {
    try (SideFile counts = SideFile.of(context, SideFile.BUCKETS)) {
      long[] rowsOf = buckets == null ? new long[0] : buckets.counts();
      for (int bucket = 0; bucket < rowsOf.length; bucket++) {
        if (rowsOf[bucket] > 0) {
          counts.add(String.valueOf(bucket), String.valueOf(rowsOf[bucket]));
        }
      }
    }
    if (rows != null) {
      rows.oddTimes()
          .counts()
          .forEach((unit, count) -> context.getCounter(ODD_TIMES, unit).increment(count));
    }
    if (rejects != null) {
      rejects.close();
    }
  }
}
