package io.evenkey.client.move;

import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The family that both generations have while a table is moved, and what is in it. Applications see
 * nothing of it: it is empty in the generation that is read. Stateless.
 */
public final class MoveColumns {
  /** The family. */
  public static final String FAMILY = "evenkey";

  static final byte[] FAMILY_BYTES = Bytes.toBytes(FAMILY);

  /**
   * Who may mirror a change of this row; empty or not there if nobody. The value is the client's
   * identifier, {@code /} and a number; after {@link #LEFT} if the client has given up.
   */
  static final byte[] LOCK = Bytes.toBytes("lock");

  /** What a server tells the time by: incremented and deleted at once, and so never seen. */
  static final byte[] CLOCK = Bytes.toBytes("clock");

  /** What a migration asks servers the time by: in rows of no application. */
  static final byte[] PROBE = Bytes.toBytes("time");

  /** Before the holder of a lock that nobody will release. */
  static final String LEFT = "!";

  private MoveColumns() {}

  /** Whether a cell is not an application's. */
  public static boolean isOwn(Cell cell) {
    return CellUtil.matchingFamily(cell, FAMILY_BYTES);
  }

  /**
   * Whether a cell says that a client of Evenkey changed the row at its time, in the generation
   * that was read then. A raw scan finds it.
   */
  public static boolean isClock(Cell cell) {
    return CellUtil.matchingColumn(cell, FAMILY_BYTES, CLOCK);
  }

  /**
   * A filter for cells of applications and the clocks of dual writes: a row that a client of
   * Evenkey changed has one of that time, whatever times its cells have. A raw scan finds clocks.
   */
  public static Filter changes() {
    return new FilterList(
        FilterList.Operator.MUST_PASS_ONE,
        new FamilyFilter(CompareOperator.NOT_EQUAL, new BinaryComparator(FAMILY_BYTES)),
        new QualifierFilter(CompareOperator.EQUAL, new BinaryComparator(CLOCK)));
  }

  /** The families that applications know of. */
  public static Set<byte[]> otherFamilies(TableDescriptor table) {
    Set<byte[]> families = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    families.addAll(table.getColumnFamilyNames());
    families.remove(FAMILY_BYTES);
    return families;
  }
}
