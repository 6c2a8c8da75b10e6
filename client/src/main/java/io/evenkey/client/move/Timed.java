package io.evenkey.client.move;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
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
  /** What is not in a generation has no time. */
  private static final long NEVER = -1;

  /** When a cell was written. */
  @FunctionalInterface
  private interface Times {
    long of(Cell cell) throws IOException;
  }

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
  List<Mutation> made(Result told) throws IOException {
    long time = ServerClocks.time(told);
    List<Mutation> made = new ArrayList<>(changes.size());
    for (Mutation change : changes) {
      made.add(made(change, told, time, cell -> time));
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
    long time = ServerClocks.time(told);
    List<Mutation> made = new ArrayList<>(changes.size());
    for (Mutation change : changes) {
      Times times = change instanceof Put put ? stored(put, primary) : cell -> time;
      Mutation one = made(change, told, time, times);
      if (!one.isEmpty()) {
        made.add(one);
      }
    }
    return made;
  }

  private static Mutation made(Mutation change, Result told, long time, Times times)
      throws IOException {
    if (change instanceof Put) {
      return like(change, new Put(change.getRow(), time, at(change, Timed::isUntimed, times)));
    } else if (change instanceof Delete) {
      return like(change, new Delete(change.getRow(), time, at(change, Timed::isUntimed, times)));
    }
    return asPut(change, told);
  }

  /** The times of what a put has written, as long as it is there. */
  private static Times stored(Put put, Table primary) throws IOException {
    Get columns = new Get(put.getRow()).readAllVersions();
    for (List<Cell> family : put.getFamilyCellMap().values()) {
      for (Cell cell : family) {
        if (isUntimed(cell)) {
          columns.addColumn(CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell));
        }
      }
    }
    Result there = columns.hasFamilies() ? primary.get(columns) : Result.EMPTY_RESULT;
    return written -> {
      byte[] family = CellUtil.cloneFamily(written);
      for (Cell cell : there.getColumnCells(family, CellUtil.cloneQualifier(written))) {
        if (CellUtil.matchingValue(cell, written)) {
          return cell.getTimestamp();
        }
      }
      return NEVER;
    };
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

  /** A mutation's cells, some of which get another time or are left out. */
  private static NavigableMap<byte[], List<Cell>> at(
      Mutation mutation, Predicate<Cell> those, Times times) throws IOException {
    NavigableMap<byte[], List<Cell>> families = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (Map.Entry<byte[], List<Cell>> family : mutation.getFamilyCellMap().entrySet()) {
      List<Cell> cells = new ArrayList<>(family.getValue().size());
      for (Cell cell : family.getValue()) {
        if (!those.test(cell)) {
          cells.add(cell);
          continue;
        }
        long time = times.of(cell);
        if (time != NEVER) {
          cells.add(at(cell, time));
        }
      }
      if (!cells.isEmpty()) {
        families.put(family.getKey(), cells);
      }
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
    Times latest =
        cell -> {
          Get column = new Get(delete.getRow());
          column.addColumn(CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell));
          Result found = primary.get(column);
          return found.isEmpty() ? NEVER : found.rawCells()[0].getTimestamp();
        };
    return like(
        delete,
        new Delete(
            delete.getRow(), delete.getTimestamp(), at(delete, Timed::isLatestVersion, latest)));
  }
}
