/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.row;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Copies of HBase's requests for another row. A copy has all settings and attributes of its
 * original; its cells are views of the original's. HBase's own copy constructors keep the row.
 * Stateless.
 */
final class RequestCopy {
  private RequestCopy() {}

  /**
   * A copy of a read.
   *
   * @param filter the filter of the copy; null if the read has none
   */
  static Get get(Get get, byte[] row, @Nullable Filter filter) throws IOException {
    Get copy = new Get(row);
    if (filter != null) {
      copy.setFilter(filter);
    }
    copyColumns(get, copy);
    TimeRange time = get.getTimeRange();
    copy.setTimeRange(time.getMin(), time.getMax());
    get.getColumnFamilyTimeRange()
        .forEach((f, range) -> copy.setColumnFamilyTimeRange(f, range.getMin(), range.getMax()));
    copy.readVersions(get.getMaxVersions());
    copy.setMaxResultsPerColumnFamily(get.getMaxResultsPerColumnFamily());
    copy.setRowOffsetPerColumnFamily(get.getRowOffsetPerColumnFamily());
    copy.setCheckExistenceOnly(get.isCheckExistenceOnly());
    copy.setCacheBlocks(get.getCacheBlocks());
    copy.setConsistency(get.getConsistency());
    copy.setReplicaId(get.getReplicaId());
    Boolean onDemand = get.getLoadColumnFamiliesOnDemandValue();
    if (onDemand != null) {
      copy.setLoadColumnFamiliesOnDemand(onDemand);
    }
    // Isolation, authorizations, access control and identity are attributes.
    get.getAttributesMap().forEach(copy::setAttribute);
    copy.setPriority(get.getPriority());
    return copy;
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

  /**
   * A copy of a check.
   *
   * @param filter the filter of the copy; null if the check has none
   * @param action the action of the copy, of the same row
   */
  static CheckAndMutate check(
      CheckAndMutate check, byte[] row, @Nullable Filter filter, Row action) {
    CheckAndMutate.Builder builder = CheckAndMutate.newBuilder(row).timeRange(check.getTimeRange());
    if (filter != null) {
      builder.ifMatches(filter);
    } else {
      builder.ifMatches(
          check.getFamily(), check.getQualifier(), check.getCompareOp(), check.getValue());
    }
    if (action instanceof RowMutations mutations) {
      return builder.build(mutations);
    } else if (action instanceof Put put) {
      return builder.build(put);
    } else if (action instanceof Delete delete) {
      return builder.build(delete);
    } else if (action instanceof Append append) {
      return builder.build(append);
    } else if (action instanceof Increment increment) {
      return builder.build(increment);
    }
    throw unknown(action);
  }

  /**
   * A copy of a mutation.
   *
   * @throws IllegalArgumentException if it is of an unknown kind
   */
  static Mutation mutation(Mutation mutation, byte[] row) {
    if (mutation instanceof Put put) {
      return put(put, row);
    } else if (mutation instanceof Delete delete) {
      return delete(delete, row);
    } else if (mutation instanceof Append append) {
      return append(append, row);
    } else if (mutation instanceof Increment increment) {
      return increment(increment, row);
    }
    throw unknown(mutation);
  }

  static Put put(Put put, byte[] row) {
    return copySettings(put, new Put(row, put.getTimestamp(), views(put, row)));
  }

  static Delete delete(Delete delete, byte[] row) {
    return copySettings(delete, new Delete(row, delete.getTimestamp(), views(delete, row)));
  }

  static Append append(Append append, byte[] row) {
    return append(append, row, append instanceof CountedAppend counted ? counted.attempts() : null);
  }

  /** A copy of an append, whose attempts are counted if {@code attempts} is given. */
  static Append append(Append append, byte[] row, @Nullable Attempts attempts) {
    NavigableMap<byte[], List<Cell>> cells = views(append, row);
    Append copy =
        attempts == null
            ? new Append(row, append.getTimestamp(), cells)
            : new CountedAppend(row, append.getTimestamp(), cells, attempts);
    TimeRange time = append.getTimeRange();
    copySettings(append, copy)
        .setTimeRange(time.getMin(), time.getMax())
        .setReturnResults(append.isReturnResults());
    notSent(attempts);
    return copy;
  }

  static Increment increment(Increment increment, byte[] row) {
    return increment(
        increment, row, increment instanceof CountedIncrement counted ? counted.attempts() : null);
  }

  /** A copy of an increment, whose attempts are counted if {@code attempts} is given. */
  static Increment increment(Increment increment, byte[] row, @Nullable Attempts attempts) {
    NavigableMap<byte[], List<Cell>> cells = views(increment, row);
    Increment copy =
        attempts == null
            ? new Increment(row, increment.getTimestamp(), cells)
            : new CountedIncrement(row, increment.getTimestamp(), cells, attempts);
    TimeRange time = increment.getTimeRange();
    copySettings(increment, copy).setReturnResults(increment.isReturnResults());
    try {
      copy.setTimeRange(time.getMin(), time.getMax());
    } catch (IOException e) {
      throw new IllegalStateException("the time range of another increment is one", e);
    }
    notSent(attempts);
    return copy;
  }

  /** The refusal of an action of a kind that HBase did not have when this was written. */
  static IllegalArgumentException unknown(Row action) {
    return new IllegalArgumentException(
        "action of an unknown kind on a spread row: " + action.getClass().getName());
  }

  private static NavigableMap<byte[], List<Cell>> views(Mutation mutation, byte[] row) {
    NavigableMap<byte[], List<Cell>> families = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    mutation
        .getFamilyCellMap()
        .forEach(
            (family, cells) -> {
              List<Cell> views = new ArrayList<>(cells.size());
              for (Cell cell : cells) {
                views.add(new RowCell(cell, row, 0, row.length));
              }
              families.put(family, views);
            });
    return families;
  }

  // TTL, visibility and access control are attributes.
  private static <T extends Mutation> T copySettings(Mutation from, T to) {
    to.setDurability(from.getDurability());
    to.setPriority(from.getPriority());
    from.getAttributesMap().forEach(to::setAttribute);
    return to;
  }

  // Copying reads the attributes, as sending does.
  private static void notSent(@Nullable Attempts attempts) {
    if (attempts != null) {
      attempts.reset();
    }
  }
}
