package io.evenkey.client.move;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
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
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Mutations that say which timestamp they mean, so that they mean the same in both generations. The
 * caller's are left as they are. Thread-safe.
 */
final class Stamped {
  private final Stamps stamps;
  private final Families families;

  /** The families of a table that applications know of. */
  @FunctionalInterface
  interface Families {
    Set<byte[]> names() throws IOException;
  }

  Stamped(Stamps stamps, Families families) {
    this.stamps = stamps;
    this.families = families;
  }

  /**
   * Whether an action means the same wherever it is done, once it is stamped: not if it depends on
   * what is there.
   */
  static boolean isSimple(Row action) {
    if (action instanceof RowMutations mutations) {
      return mutations.getMutations().stream().allMatch(Stamped::isSimple);
    }
    return action instanceof Put || action instanceof Delete delete && !deletesLatest(delete);
  }

  private static boolean deletesLatest(Delete delete) {
    return delete.getFamilyCellMap().values().stream()
        .flatMap(List::stream)
        .anyMatch(Stamped::isLatestVersion);
  }

  private static boolean isLatestVersion(Cell cell) {
    return cell.getType() == Cell.Type.Delete && isUnstamped(cell);
  }

  private static boolean isUnstamped(Cell cell) {
    return cell.getTimestamp() == HConstants.LATEST_TIMESTAMP;
  }

  long next(byte[] row) {
    return stamps.next(Arrays.hashCode(row));
  }

  /** The same, stamped, of a simple action. */
  Row of(Row action) throws IOException {
    long stamp = next(action.getRow());
    if (action instanceof RowMutations mutations) {
      RowMutations stamped = new RowMutations(action.getRow());
      for (Mutation mutation : mutations.getMutations()) {
        stamped.add(List.of(of(mutation, stamp)));
      }
      return stamped;
    }
    return of((Mutation) action, stamp);
  }

  /** The same with a timestamp, of a put or a simple deletion. */
  Mutation of(Mutation mutation, long stamp) throws IOException {
    return likeIn(
        mutation,
        mutation instanceof Put
            ? new Put(mutation.getRow(), stamp, families(mutation, stamp))
            : delete(mutation, stamp));
  }

  private static NavigableMap<byte[], List<Cell>> families(Mutation mutation, long stamp) {
    NavigableMap<byte[], List<Cell>> families = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (Map.Entry<byte[], List<Cell>> family : mutation.getFamilyCellMap().entrySet()) {
      List<Cell> cells = new ArrayList<>(family.getValue().size());
      for (Cell cell : family.getValue()) {
        cells.add(isUnstamped(cell) ? at(cell, stamp) : cell);
      }
      families.put(family.getKey(), cells);
    }
    return families;
  }

  // One without cells means the whole row; but never the lock.
  private Delete delete(Mutation mutation, long stamp) throws IOException {
    Delete stamped = new Delete(mutation.getRow(), stamp, families(mutation, stamp));
    if (mutation.isEmpty()) {
      long own = mutation.getTimestamp();
      for (byte[] family : families.names()) {
        stamped.addFamily(family, own == HConstants.LATEST_TIMESTAMP ? stamp : own);
      }
    }
    return stamped;
  }

  /** With what is not in the cells: TTL, visibility and rights are attributes. */
  static <T extends Mutation> T likeIn(Mutation from, T to) {
    to.setDurability(from.getDurability());
    to.setPriority(from.getPriority());
    from.getAttributesMap().forEach(to::setAttribute);
    return to;
  }

  private static Cell at(Cell cell, long stamp) {
    KeyValue copy = KeyValueUtil.copyToNewKeyValue(cell);
    copy.setTimestamp(stamp);
    return copy;
  }

  /**
   * A deletion of latest versions as one of those versions: of what the table has now.
   *
   * @param primary where the row is looked at; it must not change meanwhile
   */
  static Delete resolved(Delete delete, Table primary) throws IOException {
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
    return likeIn(delete, new Delete(delete.getRow(), delete.getTimestamp(), families));
  }
}
