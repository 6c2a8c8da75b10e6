package io.evenkey.client.move;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Changes of a row whose time the server tells, so that they can be made with the same timestamps
 * elsewhere. No client's clock has a part in it: what is later at the server is later in both
 * generations. The caller's mutations are left as they are. Immutable.
 *
 * @param changes what is asked of the generation that is read
 */
record Timed(List<Mutation> changes) {
  /** The families of a table that applications know of. */
  @FunctionalInterface
  interface Families {
    Set<byte[]> names() throws IOException;
  }

  /**
   * Whether an action comes out the same wherever it is done at the same time: not if it depends on
   * what is there.
   */
  static boolean isSimple(Row action) {
    if (action instanceof RowMutations mutations) {
      return mutations.getMutations().stream().allMatch(Timed::isSimple);
    }
    return action instanceof Put || action instanceof Delete delete && !deletesLatest(delete);
  }

  private static boolean deletesLatest(Delete delete) {
    return delete.getFamilyCellMap().values().stream()
        .flatMap(List::stream)
        .anyMatch(Timed::isLatestVersion);
  }

  private static boolean isLatestVersion(Cell cell) {
    return cell.getType() == Cell.Type.Delete && isUntimed(cell);
  }

  private static boolean isUntimed(Cell cell) {
    return cell.getTimestamp() == HConstants.LATEST_TIMESTAMP;
  }

  /**
   * An action of one row.
   *
   * @param primary where latest versions that are to be deleted are looked up; if there are any,
   *     the row must not change meanwhile
   */
  static Timed of(Row action, Families families, Table primary) throws IOException {
    List<Mutation> all =
        action instanceof RowMutations several
            ? several.getMutations()
            : List.of((Mutation) action);
    List<Mutation> changes = new ArrayList<>(all.size());
    for (Mutation mutation : all) {
      if (mutation instanceof Delete delete) {
        Delete explicit = delete.isEmpty() ? wholeRow(delete, families) : resolved(delete, primary);
        if (!explicit.isEmpty()) {
          changes.add(explicit);
        }
      } else if (mutation instanceof Increment increment) {
        changes.add(new Increment(increment).setReturnResults(true));
      } else if (mutation instanceof Append append) {
        changes.add(new Append(append).setReturnResults(true));
      } else {
        changes.add(mutation);
      }
    }
    return new Timed(changes);
  }

  /** Whether nothing is left to do: the latest version of what is not there. */
  boolean isEmpty() {
    return changes.isEmpty();
  }

  /** The changes, and a question for the server's time. */
  RowMutations asked() throws IOException {
    byte[] row = changes.get(0).getRow();
    List<Mutation> all = new ArrayList<>(changes);
    all.add(ServerClocks.ask(row));
    all.add(ServerClocks.forget(row));
    return new RowMutations(row).add(all);
  }

  /** The changes as the server has made them, with the timestamps that they have there. */
  List<Mutation> made(Result told) throws OutcomeUnknownException {
    long time = ServerClocks.time(told);
    List<Mutation> made = new ArrayList<>(changes.size());
    for (Mutation change : changes) {
      if (change instanceof Put) {
        made.add(like(change, new Put(change.getRow(), time, at(change, time))));
      } else if (change instanceof Delete) {
        made.add(like(change, new Delete(change.getRow(), time, at(change, time))));
      } else {
        made.add(asPut(change, told));
      }
    }
    return made;
  }

  /**
   * The same of changes that hung on a check. HBase gives their puts a time of its own, which it
   * does not tell: when it checked, or when what it checked was written, if that was later. So they
   * are looked up; what somebody has overwritten meanwhile is left out.
   *
   * @param primary where the changes were made; other such changes must be kept off the row
   */
  List<Mutation> checked(Result told, Table primary) throws IOException {
    List<Mutation> made = new ArrayList<>(changes.size());
    List<Mutation> likely = made(told);
    for (int i = 0; i < likely.size(); i++) {
      Mutation change = changes.get(i);
      Mutation found = change instanceof Put put ? found(put, primary) : likely.get(i);
      if (!found.isEmpty()) {
        made.add(found);
      }
    }
    return made;
  }

  private static Put found(Put put, Table primary) throws IOException {
    Get columns = new Get(put.getRow()).readAllVersions();
    boolean timed = true;
    for (List<Cell> family : put.getFamilyCellMap().values()) {
      for (Cell cell : family) {
        timed &= !isUntimed(cell);
        columns.addColumn(CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell));
      }
    }
    if (timed) {
      return put;
    }
    Result there = primary.get(columns);
    NavigableMap<byte[], List<Cell>> families = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (Map.Entry<byte[], List<Cell>> family : put.getFamilyCellMap().entrySet()) {
      List<Cell> cells = new ArrayList<>(family.getValue().size());
      for (Cell cell : family.getValue()) {
        if (!isUntimed(cell)) {
          cells.add(cell);
          continue;
        }
        there.getColumnCells(family.getKey(), CellUtil.cloneQualifier(cell)).stream()
            .filter(stored -> CellUtil.matchingValue(stored, cell))
            .findFirst()
            .ifPresent(stored -> cells.add(at(cell, stored.getTimestamp())));
      }
      if (!cells.isEmpty()) {
        families.put(family.getKey(), cells);
      }
    }
    return like(put, new Put(put.getRow(), put.getTimestamp(), families));
  }

  /** What an increment or append has made of its columns, as a put. */
  private static Put asPut(Mutation change, Result told) {
    Put put = like(change, new Put(change.getRow()));
    for (Cell cell : told.rawCells()) {
      byte[] family = CellUtil.cloneFamily(cell);
      byte[] qualifier = CellUtil.cloneQualifier(cell);
      if (change.has(family, qualifier)) {
        put.addColumn(family, qualifier, cell.getTimestamp(), CellUtil.cloneValue(cell));
      }
    }
    return put;
  }

  /** What the server has told, without its time. */
  static Result withoutTime(Result told) {
    List<Cell> cells = new ArrayList<>();
    for (Cell cell : told.rawCells()) {
      if (!CellUtil.matchingFamily(cell, MoveColumns.FAMILY_BYTES)) {
        cells.add(cell);
      }
    }
    return Result.create(cells);
  }

  private static NavigableMap<byte[], List<Cell>> at(Mutation mutation, long time) {
    NavigableMap<byte[], List<Cell>> families = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (Map.Entry<byte[], List<Cell>> family : mutation.getFamilyCellMap().entrySet()) {
      List<Cell> cells = new ArrayList<>(family.getValue().size());
      for (Cell cell : family.getValue()) {
        cells.add(isUntimed(cell) ? at(cell, time) : cell);
      }
      families.put(family.getKey(), cells);
    }
    return families;
  }

  private static Cell at(Cell cell, long time) {
    KeyValue copy = KeyValueUtil.copyToNewKeyValue(cell);
    copy.setTimestamp(time);
    return copy;
  }

  /** With what is not in the cells: TTL, visibility and rights are attributes. */
  private static <T extends Mutation> T like(Mutation from, T to) {
    to.setDurability(from.getDurability());
    to.setPriority(from.getPriority());
    from.getAttributesMap().forEach(to::setAttribute);
    return to;
  }

  // All families but that of the lock, which is somebody else's.
  private static Delete wholeRow(Delete delete, Families families) throws IOException {
    Delete explicit = like(delete, new Delete(delete.getRow()));
    for (byte[] family : families.names()) {
      explicit.addFamily(family, delete.getTimestamp());
    }
    return explicit;
  }

  /** Latest versions as those that the table has now. */
  private static Delete resolved(Delete delete, Table primary) throws IOException {
    if (!deletesLatest(delete)) {
      return delete;
    }
    NavigableMap<byte[], List<Cell>> families = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (Map.Entry<byte[], List<Cell>> family : delete.getFamilyCellMap().entrySet()) {
      List<Cell> cells = new ArrayList<>();
      for (Cell cell : family.getValue()) {
        if (!isLatestVersion(cell)) {
          cells.add(cell);
          continue;
        }
        byte[] qualifier = CellUtil.cloneQualifier(cell);
        Result found = primary.get(new Get(delete.getRow()).addColumn(family.getKey(), qualifier));
        if (!found.isEmpty()) {
          cells.add(at(cell, found.rawCells()[0].getTimestamp()));
        }
      }
      if (!cells.isEmpty()) {
        families.put(family.getKey(), cells);
      }
    }
    return like(delete, new Delete(delete.getRow(), delete.getTimestamp(), families));
  }
}
