package io.evenkey.client.row;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Carries operations to the physical side and results back, for one layout. Immutable and
 * thread-safe.
 */
public final class RowMapping {
  private final Layout layout;
  private final int width;
  private final boolean prefixOnly;

  private RowMapping(Layout layout) {
    this.layout = layout;
    this.width = layout.spread().width();
    this.prefixOnly = layout.spread().isPrefixOnly();
  }

  /** The mapping of a layout. */
  public static RowMapping of(Layout layout) {
    return new RowMapping(layout);
  }

  /**
   * The physical row of a logical key.
   *
   * @throws IllegalArgumentException if the key does not fit the layout, or the row would be longer
   *     than HBase allows
   */
  public byte[] physical(byte[] logical) {
    byte[] row = layout.physical(logical);
    if (row.length > HConstants.MAX_ROW_LENGTH) {
      throw new IllegalArgumentException(
          "row too long: bytes="
              + row.length
              + " of which prefix="
              + width
              + " key="
              + ByteText.printable(logical, 0, 32)
              + "…; HBase allows "
              + HConstants.MAX_ROW_LENGTH
              + ", the prefix included");
    }
    return row;
  }

  /**
   * The same read of the physical row.
   *
   * @throws IllegalArgumentException if the read has a filter: it would see the physical row; or if
   *     the layout chooses buckets freely: nobody can tell in which one the row is
   */
  public Get physical(Get get) throws IOException {
    if (layout.isPlain()) {
      return get;
    }
    if (layout.spread().isFree()) {
      throw new IllegalArgumentException(
          "read of one row under a free salt: layout="
              + layout
              + "; the row may be in any bucket: scan the range of this one key instead");
    }
    if (get.getFilter() != null) {
      throw new IllegalArgumentException(
          "filter on a spread row: filter="
              + get.getFilter().getClass().getSimpleName()
              + " layout="
              + layout
              + "; a filter would see the physical row: read the row and filter what comes back");
    }
    Get physical = new Get(physical(get.getRow()));
    copyColumns(get, physical);
    TimeRange time = get.getTimeRange();
    physical.setTimeRange(time.getMin(), time.getMax());
    get.getColumnFamilyTimeRange()
        .forEach(
            (f, range) -> physical.setColumnFamilyTimeRange(f, range.getMin(), range.getMax()));
    physical.readVersions(get.getMaxVersions());
    physical.setMaxResultsPerColumnFamily(get.getMaxResultsPerColumnFamily());
    physical.setRowOffsetPerColumnFamily(get.getRowOffsetPerColumnFamily());
    physical.setCheckExistenceOnly(get.isCheckExistenceOnly());
    physical.setCacheBlocks(get.getCacheBlocks());
    physical.setConsistency(get.getConsistency());
    physical.setReplicaId(get.getReplicaId());
    Boolean onDemand = get.getLoadColumnFamiliesOnDemandValue();
    if (onDemand != null) {
      physical.setLoadColumnFamiliesOnDemand(onDemand);
    }
    // Isolation, authorizations, access control and identity are attributes.
    get.getAttributesMap().forEach(physical::setAttribute);
    physical.setPriority(get.getPriority());
    return physical;
  }

  private static void copyColumns(Get from, Get to) {
    from.getFamilyMap()
        .forEach(
            (family, qualifiers) -> {
              if (qualifiers == null) {
                to.addFamily(family);
              } else {
                qualifiers.forEach(qualifier -> to.addColumn(family, qualifier));
              }
            });
  }

  /** The same write to the physical row; its cells are views of the given ones. */
  public Put physical(Put put) {
    if (layout.isPlain()) {
      return put;
    }
    byte[] row = physical(put.getRow());
    NavigableMap<byte[], List<Cell>> families = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    put.getFamilyCellMap()
        .forEach(
            (family, cells) -> {
              List<Cell> views = new ArrayList<>(cells.size());
              for (Cell cell : cells) {
                views.add(new RowCell(cell, row, 0, row.length));
              }
              families.put(family, views);
            });
    Put physical = new Put(row, put.getTimestamp(), families);
    physical.setDurability(put.getDurability());
    physical.setPriority(put.getPriority());
    put.getAttributesMap().forEach(physical::setAttribute);
    return physical;
  }

  /** The same result under its logical key; its cells are views of the given ones. */
  public Result logical(Result physical) {
    Cell[] cells = physical.rawCells();
    if (cells == null || cells.length == 0 || layout.isPlain()) {
      return physical;
    }
    Cell[] views = new Cell[cells.length];
    byte[] decoded = prefixOnly ? null : layout.logical(CellUtil.cloneRow(cells[0]));
    for (int i = 0; i < cells.length; i++) {
      Cell cell = cells[i];
      views[i] =
          decoded == null
              ? new RowCell(
                  cell,
                  cell.getRowArray(),
                  cell.getRowOffset() + width,
                  cell.getRowLength() - width)
              : new RowCell(cell, decoded, 0, decoded.length);
    }
    return Result.create(
        views, physical.getExists(), physical.isStale(), physical.mayHaveMoreCellsInRow());
  }
}
