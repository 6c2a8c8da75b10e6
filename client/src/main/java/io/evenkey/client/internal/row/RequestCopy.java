/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.row;

import io.evenkey.client.internal.request.RequestSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Copies of HBase's mutations for another row. A copy has all {@linkplain RequestSettings settings}
 * of its original; its cells are views of the original's. HBase's own copy constructors keep the
 * row. Stateless.
 */
final class RequestCopy {
  private RequestCopy() {}

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
    throw RequestSettings.unknown(mutation);
  }

  private static Put put(Put put, byte[] row) {
    return RequestSettings.copy(put, new Put(row, put.getTimestamp(), views(put, row)));
  }

  private static Delete delete(Delete delete, byte[] row) {
    return RequestSettings.copy(delete, new Delete(row, delete.getTimestamp(), views(delete, row)));
  }

  private static Append append(Append append, byte[] row) {
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
    RequestSettings.copy(append, copy)
        .setTimeRange(time.getMin(), time.getMax())
        .setReturnResults(append.isReturnResults());
    notSent(attempts);
    return copy;
  }

  private static Increment increment(Increment increment, byte[] row) {
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
    RequestSettings.copy(increment, copy).setReturnResults(increment.isReturnResults());
    try {
      copy.setTimeRange(time.getMin(), time.getMax());
    } catch (IOException e) {
      throw new IllegalStateException("the time range of another increment is one", e);
    }
    notSent(attempts);
    return copy;
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

  // Copying reads the attributes, as sending does.
  private static void notSent(@Nullable Attempts attempts) {
    if (attempts != null) {
      attempts.reset();
    }
  }
}
