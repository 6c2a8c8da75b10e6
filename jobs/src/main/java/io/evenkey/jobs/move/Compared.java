package io.evenkey.jobs.move;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.move.MoveColumns;
import io.evenkey.jobs.compare.Cells;
import io.evenkey.jobs.compare.Comparison;
import io.evenkey.jobs.compare.ComparisonOptions;
import io.evenkey.jobs.compare.ComparisonResult;
import io.evenkey.jobs.compare.Difference;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** Two generations of a table compared, and what differs repaired. Not thread-safe. */
final class Compared {
  /**
   * What a repair has done.
   *
   * @param rows how many were compared
   * @param repaired how many rows were made the same
   * @param left those that differ still
   */
  record Outcome(long rows, long repaired, List<Difference> left) {}

  private static final int LOOKS = 3;

  private final SpreadTables tables;
  private final Generations generations;
  private final MoveSettings settings;
  private final LongConsumer progress;

  Compared(
      SpreadTables tables, Generations generations, MoveSettings settings, LongConsumer progress) {
    this.tables = tables;
    this.generations = generations;
    this.settings = settings;
    this.progress = progress;
  }

  /**
   * Makes the second as the first.
   *
   * @param from cells from this time on
   * @param quiet whether nobody writes: then every row has to be alike in the end; else not those
   *     that somebody writes to all the time
   */
  Outcome repaired(TableName first, TableName second, long from, boolean quiet) throws IOException {
    Comparison comparison = of(first, second, from, quiet);
    ComparisonResult found = comparison.run(progress);
    if (!found.complete()) {
      throw new MoveException(
          "too many rows differ: tables="
              + first
              + " "
              + second
              + " rows="
              + found.differences().size()
              + " or more; roll back, and look at who writes past Evenkey");
    }
    List<Difference> left = new ArrayList<>();
    for (Difference difference : found.differences()) {
      if (!isRepaired(comparison, difference, first, quiet)) {
        left.add(difference);
      }
    }
    return new Outcome(found.rows(), found.differences().size() - left.size(), left);
  }

  private boolean isRepaired(
      Comparison comparison, Difference difference, TableName first, boolean quiet)
      throws IOException {
    boolean moving = true;
    for (int look = 0; look < LOOKS && moving; look++) {
      Result before = raw(first, difference.key());
      if (comparison.repair(difference.key())) {
        return true;
      }
      moving = !Cells.same(before, raw(first, difference.key()));
    }
    return moving && !quiet;
  }

  /**
   * Rows of which the second has something that the first never had: not what was deleted there,
   * since a client that dies between two writes leaves such behind; nor what a client of Evenkey
   * asked for before the switch and was never told that it was done, which arrives late.
   */
  List<Difference> strays(TableName first, TableName second, long from) throws IOException {
    List<Difference> strays = new ArrayList<>();
    TableDescriptor descriptor = generations.descriptor(first);
    for (Difference difference : of(first, second, from, false).run(progress).differences()) {
      // In this order: what is written between the two is in the first before it is in the second.
      List<Cell> has = List.of(Cells.of(raw(second, difference.key())));
      List<Cell> had = List.of(Cells.of(raw(first, difference.key())));
      Set<Long> late =
          has.stream()
              .filter(MoveColumns::isClock)
              .map(Cell::getTimestamp)
              .collect(Collectors.toSet());
      for (Cell cell : has) {
        boolean recent =
            cell.getTimestamp() >= from
                && cell.getType() == Cell.Type.Put
                && !MoveColumns.isOwn(cell)
                && !late.contains(cell.getTimestamp());
        if (recent
            && had.stream().noneMatch(other -> accountsFor(other, cell))
            && !isOutnumbered(descriptor, had, cell)) {
          strays.add(of(difference, cell));
          break;
        }
      }
    }
    return strays;
  }

  private static Difference of(Difference row, Cell cell) {
    String where =
        " column="
            + Bytes.toStringBinary(CellUtil.cloneFamily(cell))
            + ":"
            + Bytes.toStringBinary(CellUtil.cloneQualifier(cell))
            + " at="
            + Instant.ofEpochMilli(cell.getTimestamp());
    return new Difference(row.kind(), row.key(), row.label() + where);
  }

  // As many newer versions as are kept, and this one is gone in the first, or soon will be.
  private static boolean isOutnumbered(TableDescriptor table, List<Cell> had, Cell cell) {
    ColumnFamilyDescriptor family = table.getColumnFamily(CellUtil.cloneFamily(cell));
    long newer =
        had.stream()
            .filter(other -> other.getType() == Cell.Type.Put)
            .filter(other -> CellUtil.matchingColumn(other, cell))
            .filter(other -> other.getTimestamp() > cell.getTimestamp())
            .count();
    return family != null && newer >= family.getMaxVersions();
  }

  private static boolean accountsFor(Cell had, Cell cell) {
    return had.getType() == Cell.Type.Put
        ? CellUtil.matchingColumn(had, cell) && had.getTimestamp() == cell.getTimestamp()
        : Cells.hides(had, cell);
  }

  private Result raw(TableName generation, byte[] key) throws IOException {
    Scan raw = new Scan().setRaw(true).readAllVersions();
    try (ResultScanner rows = tables.generation(generation).scan(KeyRange.point(key), raw)) {
      Result row = rows.next();
      return row == null ? Result.EMPTY_RESULT : row;
    }
  }

  /** Makes one row of the second as it is in the first. */
  void repair(TableName first, TableName second, byte[] key) throws IOException {
    of(first, second, 0, true).repair(key);
  }

  private Comparison of(TableName first, TableName second, long from, boolean quiet)
      throws IOException {
    SpreadTable a = tables.generation(first);
    SpreadTable b = tables.generation(second);
    Scan scan = new Scan().setCacheBlocks(false);
    generations.families(first).forEach(scan::addFamily);
    if (from > 0) {
      scan.setTimeRange(from, Long.MAX_VALUE);
    }
    return Comparison.of(
        a,
        b,
        new ComparisonOptions(
            null,
            false,
            Duration.ZERO,
            quiet ? Duration.ZERO : settings.pause(),
            quiet ? 1 : LOOKS,
            settings.most(),
            scan));
  }
}
