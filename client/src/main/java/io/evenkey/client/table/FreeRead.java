package io.evenkey.client.table;

import io.evenkey.client.row.RowMapping;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/**
 * A read of one row whose bucket nobody knows: all buckets are asked at once. Where a row was
 * written more than once, and so is in several, its cells are put together as if they were in one:
 * of each column the newest, as many versions as the read asks for.
 */
final class FreeRead {
  private final Table table;
  private final RowMapping rows;

  FreeRead(Table table, RowMapping rows) {
    this.table = table;
    this.rows = rows;
  }

  Result of(Get get) throws IOException {
    Result[] found = table.get(rows.physicalEverywhere(get));
    if (get.isCheckExistenceOnly()) {
      boolean exists = Arrays.stream(found).anyMatch(r -> Boolean.TRUE.equals(r.getExists()));
      return Result.create(List.of(), exists);
    }
    List<Result> rowsFound = new ArrayList<>();
    for (Result result : found) {
      if (!result.isEmpty()) {
        rowsFound.add(rows.logical(result));
      }
    }
    return switch (rowsFound.size()) {
      case 0 -> Result.EMPTY_RESULT;
      case 1 -> rowsFound.get(0);
      default -> together(rowsFound, get.getMaxVersions());
    };
  }

  boolean exists(Get get) throws IOException {
    for (boolean exists : table.exists(rows.physicalEverywhere(get))) {
      if (exists) {
        return true;
      }
    }
    return false;
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
