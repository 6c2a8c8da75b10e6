package io.evenkey.client;

import io.evenkey.client.gather.Gather;
import io.evenkey.client.gather.UnorderedScanException;
import io.evenkey.client.row.RowMapping;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.scatter.Scatter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * One table, read and written by logical keys. The rows of every {@link Put}, {@link Get} and
 * {@link Result} here are logical keys; what HBase stores is the layout's business. Thread-safe.
 */
public final class SpreadTable {
  /** A smaller answer from a server than this costs more in calls than it saves in memory. */
  private static final long LEAST_RESULT_BYTES = 64L << 10;

  private final SpreadTables tables;
  private final TableName name;
  private final Layout layout;
  private final RowMapping rows;

  SpreadTable(SpreadTables tables, TableName name, Layout layout) {
    this.tables = tables;
    this.name = name;
    this.layout = layout;
    this.rows = RowMapping.of(layout);
  }

  /** The table's name. */
  public TableName name() {
    return name;
  }

  /** The layout its rows are written under. */
  public Layout layout() {
    return layout;
  }

  /** A writer that sends puts in batches; the caller closes it. Thread-safe, as HBase's own. */
  public SpreadMutator mutator() throws IOException {
    return new SpreadMutator(tables.connection().getBufferedMutator(name), rows);
  }

  /**
   * Reads one row, with one request: its bucket follows from its key.
   *
   * @return the row, empty if there is none
   */
  public Result get(Get get) throws IOException {
    try (Table table = tables.connection().getTable(name)) {
      return rows.logical(table.get(rows.physical(get)));
    }
  }

  /**
   * Reads a logical range in logical order. All its physical ranges are read ahead at once.
   *
   * @throws UnorderedScanException if the layout has no order to read this range in
   */
  public ResultScanner scan(KeyRange logical, ScanOptions options) throws IOException {
    Scatter scatter = layout.scatter(logical);
    if (!scatter.ordered()) {
      throw new UnorderedScanException(name, layout);
    }
    List<ResultScanner> scanners = new ArrayList<>(scatter.fanOut());
    AsyncTable<AdvancedScanResultConsumer> table = tables.scans().getTable(name);
    for (KeyRange range : scatter.ranges()) {
      scanners.add(table.getScanner(physicalScan(range, options, scatter.fanOut())));
    }
    return new Gather(
        scanners, layout.spread().width(), options.reversed(), options.limit(), rows::logical);
  }

  /**
   * Reads every row, in the order in which they are stored. For layouts that have no other order,
   * and for those who need none.
   */
  public ResultScanner scanStored() throws IOException {
    Scan all = physicalScan(KeyRange.all(), ScanOptions.all(), 1);
    ResultScanner scanner = tables.scans().getTable(name).getScanner(all);
    return new Gather(List.of(scanner), 0, false, 0, rows::logical);
  }

  private static Scan physicalScan(KeyRange range, ScanOptions options, int fanOut) {
    Scan scan = new Scan().setCacheBlocks(true);
    // The scanner holds up to two answers, one being filled while the other is consumed.
    scan.setMaxResultSize(
        Math.max(LEAST_RESULT_BYTES, options.budgetBytes() / (2L * Math.max(1, fanOut))));
    if (options.limit() > 0) {
      scan.setLimit(options.limit());
    }
    return options.reversed()
        ? scan.setReversed(true).withStartRow(range.stop(), false).withStopRow(range.start(), true)
        : scan.withStartRow(range.start()).withStopRow(range.stop());
  }

  @Override
  public String toString() {
    return name + " " + layout;
  }
}
