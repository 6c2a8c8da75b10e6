package io.evenkey.client.move;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * How far the clocks of region servers are from this computer's, in milliseconds: a server says
 * what time it is by incrementing a column that is deleted in the same step. Immutable.
 *
 * @param aheadMs how far the furthest is ahead, at most; negative if all are behind
 * @param behindMs how far the furthest is behind, at most; negative if all are ahead
 */
public record ServerClocks(long aheadMs, long behindMs) {
  static final ServerClocks UNKNOWN = new ServerClocks(0, 0);

  private static final int TRIES = 3;

  /**
   * Asks every server that has a region of one of these tables.
   *
   * @param plain a connection to which rows are what is stored
   * @param tables that have {@link MoveColumns#FAMILY}
   */
  public static ServerClocks of(Connection plain, List<TableName> tables) throws IOException {
    Map<ServerName, HRegionLocation> servers = new HashMap<>();
    for (TableName name : tables) {
      try (RegionLocator locator = plain.getRegionLocator(name)) {
        locator.getAllRegionLocations().forEach(at -> servers.put(at.getServerName(), at));
      }
    }
    long ahead = Long.MIN_VALUE;
    long behind = Long.MIN_VALUE;
    for (HRegionLocation at : servers.values()) {
      try (Table table = plain.getTable(at.getRegion().getTable())) {
        byte[] start = at.getRegion().getStartKey();
        ServerClocks one = one(table, start.length == 0 ? new byte[1] : start);
        ahead = Math.max(ahead, one.aheadMs);
        behind = Math.max(behind, one.behindMs);
      }
    }
    return servers.isEmpty() ? UNKNOWN : new ServerClocks(ahead, behind);
  }

  /** Of several answers, the quickest says most. */
  private static ServerClocks one(Table table, byte[] row) throws IOException {
    ServerClocks best = UNKNOWN;
    long quickest = Long.MAX_VALUE;
    for (int i = 0; i < TRIES; i++) {
      long asked = System.currentTimeMillis();
      long begun = System.nanoTime();
      // Not the clock of dual writes: this row need not be one that the layout can have.
      RowMutations change =
          new RowMutations(row)
              .add(List.of(ask(row, MoveColumns.PROBE), forget(row, MoveColumns.PROBE)));
      long told = time(table.mutateRow(change), MoveColumns.PROBE);
      long took = System.nanoTime() - begun;
      if (took < quickest) {
        quickest = took;
        // It was said at some moment between both.
        best = new ServerClocks(told - asked + 1, System.currentTimeMillis() - told + 1);
      }
    }
    return best;
  }

  static Increment ask(byte[] row) {
    return ask(row, MoveColumns.CLOCK);
  }

  private static Increment ask(byte[] row, byte[] column) {
    return new Increment(row).addColumn(MoveColumns.FAMILY_BYTES, column, 0);
  }

  static Delete forget(byte[] row) {
    return forget(row, MoveColumns.CLOCK);
  }

  private static Delete forget(byte[] row, byte[] column) {
    return new Delete(row).addColumns(MoveColumns.FAMILY_BYTES, column);
  }

  /** When a server did what was asked together with {@link #ask} and {@link #forget}. */
  static long time(Result told) throws OutcomeUnknownException {
    return time(told, MoveColumns.CLOCK);
  }

  private static long time(Result told, byte[] column) throws OutcomeUnknownException {
    Cell clock = told.getColumnLatestCell(MoveColumns.FAMILY_BYTES, column);
    if (clock == null) {
      throw new OutcomeUnknownException(
          "server does not say when a row was changed: row="
              + (told.isEmpty() ? "" : Bytes.toStringBinary(told.getRow()))
              + "; it may or may not have been changed: look before changing it again");
    }
    return clock.getTimestamp();
  }

  /** What no server's clock says any more, now. */
  public long earliestMs() {
    return System.currentTimeMillis() - Math.max(0, behindMs) - 1;
  }

  /** How far apart two clocks can be. */
  public long spreadMs() {
    return Math.max(0, aheadMs + behindMs);
  }
}
