/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.row.RowMapping;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;

/**
 * A read of one row whose bucket is not known: all buckets are asked at once. Where a row was
 * written more than once, and so is in several, its cells are put together as if they were in one:
 * of each column the newest, as many versions as the read asks for. Stateless.
 */
final class RandomSaltRead {
  private RandomSaltRead() {}

  /**
   * One result of those of all buckets.
   *
   * @param found physical results, one for each of {@link RowMapping#physicalEverywhere}
   */
  static Result together(RowMapping rows, Get get, List<Result> found) {
    if (get.isCheckExistenceOnly()) {
      boolean exists = found.stream().anyMatch(r -> Boolean.TRUE.equals(r.getExists()));
      return Result.create(List.of(), exists);
    }
    List<Result> rowsFound = new ArrayList<>();
    for (Result result : found) {
      if (!result.isEmpty()) {
        rowsFound.add(rows.results().logical(result));
      }
    }
    return switch (rowsFound.size()) {
      case 0 -> Result.EMPTY_RESULT;
      case 1 -> rowsFound.get(0);
      default -> together(rowsFound, get.getMaxVersions());
    };
  }

  private static Result together(List<Result> results, int versions) {
    List<Cell> cells = new ArrayList<>();
    boolean stale = false;
    for (Result result : results) {
      cells.addAll(result.listCells());
      stale |= result.isStale();
    }
    // By family and qualifier, the newest first.
    cells.sort(CellComparator.getInstance());
    List<Cell> kept = new ArrayList<>();
    int seen = 0;
    for (Cell cell : cells) {
      Cell last = kept.isEmpty() ? null : kept.get(kept.size() - 1);
      seen = last != null && CellUtil.matchingColumn(last, cell) ? seen + 1 : 1;
      if (seen <= versions) {
        kept.add(cell);
      }
    }
    return Result.create(kept, null, stale);
  }
}
