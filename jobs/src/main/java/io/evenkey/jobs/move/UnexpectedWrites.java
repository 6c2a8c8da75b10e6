package io.evenkey.jobs.move;

import io.evenkey.client.move.MoveColumns;
import io.evenkey.jobs.compare.Cells;
import io.evenkey.jobs.compare.Difference;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Tells what a client wrote to the secondary generation alone from what may be there, though the
 * primary does not have it:
 *
 * <ul>
 *   <li>what was deleted in the primary, by a client that died before it deleted it in the
 *       secondary;
 *   <li>versions of which the primary has newer ones, as many as it keeps;
 *   <li>another value of the same version, in a row that a client of Evenkey changed in the primary
 *       since the switch;
 *   <li>requests of Evenkey's clients that were sent before the switch, arrived after it, and were
 *       never acknowledged: they leave a clock of their time in the row.
 * </ul>
 *
 * <p>A deletion counts if it hides what readers of the primary see. Immutable.
 */
final class UnexpectedWrites {
  private final TableDescriptor table;
  private final long switched;

  /**
   * Looks at rows of a table.
   *
   * @param table the primary's descriptor
   * @param switched since when, in milliseconds, the secondary is written second
   */
  UnexpectedWrites(TableDescriptor table, long switched) {
    this.table = table;
    this.switched = switched;
  }

  /**
   * The first unexpected cell of a row that differs, as a difference that names it.
   *
   * @param has the secondary's cells and deletions
   * @param had the primary's, read later
   */
  Optional<Difference> in(Difference row, Cell[] has, Cell[] had) {
    Set<Long> late = new HashSet<>();
    for (Cell cell : has) {
      if (MoveColumns.isClock(cell) && cell.getTimestamp() >= switched) {
        late.add(cell.getTimestamp());
      }
    }
    return Arrays.stream(has)
        .filter(cell -> !MoveColumns.isOwn(cell) && !isLate(cell, late))
        .filter(cell -> isUnexpected(cell, has, had))
        .findFirst()
        .map(cell -> named(row, cell));
  }

  // A late request may have cells of any time before it.
  private boolean isLate(Cell cell, Set<Long> late) {
    return late.contains(cell.getTimestamp()) || !late.isEmpty() && cell.getTimestamp() < switched;
  }

  private boolean isUnexpected(Cell cell, Cell[] has, Cell[] had) {
    Optional<Cell> same =
        Arrays.stream(had).filter(other -> Cells.samePlace(other, cell)).findFirst();
    if (cell.getType() == Cell.Type.Put) {
      return !Cells.isHidden(cell, has)
          && !Cells.isHidden(cell, had)
          && same.map(other -> !Cells.same(other, cell) && !isReplaced(had))
              .orElseGet(() -> !isOutnumbered(cell, had));
    }
    return same.isEmpty()
        && Arrays.stream(had)
            .anyMatch(
                other ->
                    other.getType() == Cell.Type.Put
                        && !Cells.isHidden(other, had)
                        && Cells.hides(cell, other));
  }

  // A client of Evenkey changed the row in the primary since the switch, perhaps at the same time.
  private boolean isReplaced(Cell[] had) {
    return Arrays.stream(had)
        .anyMatch(cell -> MoveColumns.isClock(cell) && cell.getTimestamp() >= switched);
  }

  // As many newer versions as are kept, and this one is gone in the primary, or soon will be.
  private boolean isOutnumbered(Cell cell, Cell[] had) {
    ColumnFamilyDescriptor family = table.getColumnFamily(CellUtil.cloneFamily(cell));
    long newer =
        Arrays.stream(had)
            .filter(other -> other.getType() == Cell.Type.Put)
            .filter(other -> CellUtil.matchingColumn(other, cell))
            .filter(other -> other.getTimestamp() > cell.getTimestamp())
            .count();
    return family != null && newer >= family.getMaxVersions();
  }

  private static Difference named(Difference row, Cell cell) {
    String where =
        " column="
            + Bytes.toStringBinary(CellUtil.cloneFamily(cell))
            + ":"
            + Bytes.toStringBinary(CellUtil.cloneQualifier(cell))
            + " type="
            + cell.getType()
            + " at="
            + Instant.ofEpochMilli(cell.getTimestamp());
    return new Difference(row.kind(), row.key(), row.label() + where);
  }
}
