/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.row;

import io.evenkey.jobs.split.SampledRows;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.scatter.Scatter;
import io.evenkey.layout.text.RowException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites a row of one layout as a row of another: the same cells, tombstones and tags under
 * another stored row. Immutable.
 *
 * @param from the source's layout
 * @param to the target's
 * @param target what the target has before
 * @param keys the change of the row key; null if rows keep their logical keys
 */
public record RowRewriter(Layout from, Layout to, Target target, @Nullable KeyChange keys) {
  /** The content of the target before rows are written to it. */
  public enum Target {
    /** No rows: all are written. */
    EMPTY,
    /**
     * The source's rows: those are moved that have another place by the target's layout. Tombstones
     * hide them at their old place.
     */
    CLONE
  }

  private static final String FROM = "evenkey.migration.from";

  /** A task writes as many files at once. */
  private static final int MOST_BUCKETS = 200;

  private static final String TO = "evenkey.migration.to";
  private static final String TARGET = "evenkey.migration.into";
  private static final String KEY_CHANGES = "evenkey.migration.key.changes";
  private static final String KEY_COLUMNS = "evenkey.migration.key.columns";

  /** Rewrites all rows, which keep their logical keys. */
  public RowRewriter(Layout from, Layout to, Target target) {
    this(from, to, target, null);
  }

  /** Rewrites all rows into an empty table. */
  public RowRewriter(Layout from, Layout to) {
    this(from, to, Target.EMPTY);
  }

  /** Rewrites all rows into an empty table, by other keys. */
  public static RowRewriter changing(Layout from, KeyChange keys) {
    return new RowRewriter(from, keys.layout(), Target.EMPTY, keys);
  }

  public void addTo(Configuration configuration) {
    configuration.set(FROM, from.toString());
    configuration.set(TO, to.toString());
    configuration.setEnum(TARGET, target);
    configuration.setBoolean(KEY_CHANGES, keys != null);
    configuration.set(KEY_COLUMNS, keys == null ? "" : keys.columns());
  }

  public static RowRewriter in(Configuration configuration) {
    Layout from = Layout.parse(configuration.get(FROM, ""));
    Layout to = Layout.parse(configuration.get(TO, ""));
    return new RowRewriter(
        from,
        to,
        configuration.getEnum(TARGET, Target.EMPTY),
        configuration.getBoolean(KEY_CHANGES, false)
            ? KeyChange.of(from, to, configuration.get(KEY_COLUMNS, ""))
            : null);
  }

  /** Whether the key of a row changes with its cells. */
  public boolean takesColumns() {
    return keys != null && keys.takesColumns();
  }

  /** Its rows, for the target's split keys. */
  public SampledRows sampled() {
    return new SampledRows() {
      @Override
      public Layout target() {
        return to;
      }

      @Override
      public Scan restricted(Scan scan) {
        if (keys != null && keys.takesColumns()) {
          keys.columnNames()
              .forEach(column -> scan.addColumn(column.familyBytes(), column.qualifierBytes()));
          return scan;
        }
        return scan.setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()));
      }

      @Override
      public Optional<byte[]> row(Result stored) {
        return Optional.ofNullable(RowRewriter.this.row(stored));
      }
    };
  }

  /**
   * Whether rows that are read bucket by bucket come in the order of each of the target's buckets:
   * then nothing has to be sorted.
   */
  public boolean isOrdered() {
    return target == Target.EMPTY
        && keys == null
        && isOrdered(from)
        && isOrdered(to)
        && to.spread().width() <= Long.BYTES;
  }

  private static boolean isOrdered(Layout layout) {
    Scatter all = layout.scatter(KeyRange.all());
    return layout.spread().isPrefixOnly() && all.ordered() && all.ranges().size() <= MOST_BUCKETS;
  }

  /**
   * The row that a stored one becomes; null for one that stays where it is in a clone.
   *
   * @throws RowException if it is none of the source's layout, or cannot be one of the target's
   */
  public byte @Nullable [] row(Result stored) {
    byte[] row = storedRow(stored);
    byte[] key = from.logical(row);
    if (keys != null) {
      return to.physical(next(keys, key, stored));
    }
    // Without nulls, keys have the same bytes by Phoenix's rules as by Evenkey's. With them, no
    // condition on fields would find the row any more.
    if (from.key().allowsNull() && !to.key().allowsNull() && !to.key().isWhole(key)) {
      int whole = to.key().beginning(key, to.key().elementCount()).bytes();
      throw new RowException("a null, which only layouts of Phoenix have", key, whole);
    }
    byte[] place = to.physical(key);
    return target == Target.CLONE && Arrays.equals(place, row) ? null : place;
  }

  private static byte[] next(KeyChange keys, byte[] key, Result stored) {
    return keys.second(key, stored)
        .orElseThrow(() -> new RowException(KeyChange.missing(keys.columnNames()), key, 0));
  }

  /**
   * Whether the tombstones of a deleted row, which is none of the source's layout, would hide a row
   * that is moved there: an earlier step has moved it away from there.
   */
  public boolean isInTheWay(Result deleted) {
    if (target == Target.EMPTY) {
      return false;
    }
    byte[] row = storedRow(deleted);
    try {
      return Arrays.equals(to.physical(from.spread().logicalInAnyBucket(row)), row);
    } catch (RowException e) {
      return false;
    }
  }

  /** The deletions that hide a row at its old place; none if the target was empty. */
  public List<Cell> tombstones(Result stored) {
    if (target == Target.EMPTY) {
      return List.of();
    }
    byte[] row = storedRow(stored);
    Map<byte[], Long> latest = new TreeMap<>(Arrays::compareUnsigned);
    for (Cell cell : stored.rawCells()) {
      if (!RowRepairs.isMark(cell)) {
        latest.merge(CellUtil.cloneFamily(cell), cell.getTimestamp(), Math::max);
      }
    }
    List<Cell> tombstones = new ArrayList<>(latest.size());
    latest.forEach(
        (family, timestamp) ->
            tombstones.add(new KeyValue(row, family, null, timestamp, KeyValue.Type.DeleteFamily)));
    return tombstones;
  }

  private static byte[] storedRow(Result stored) {
    return CellUtil.cloneRow(stored.rawCells()[0]);
  }

  public static Cell cell(byte[] row, Cell cell) {
    byte[] tags =
        cell instanceof ExtendedCell tagged ? PrivateCellUtil.cloneTags(tagged) : new byte[0];
    return new KeyValue(
        row,
        0,
        row.length,
        cell.getFamilyArray(),
        cell.getFamilyOffset(),
        cell.getFamilyLength(),
        cell.getQualifierArray(),
        cell.getQualifierOffset(),
        cell.getQualifierLength(),
        cell.getTimestamp(),
        KeyValue.Type.codeToType(cell.getType().getCode()),
        cell.getValueArray(),
        cell.getValueOffset(),
        cell.getValueLength(),
        tags,
        0,
        tags.length);
  }
}
