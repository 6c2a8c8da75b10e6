/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.row;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.jobs.compare.Cells;
import io.evenkey.layout.guard.ChangeMark;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Makes rows of the secondary generation as they are in the primary, many at a time: the versions
 * that readers can see, and the tombstones, with their timestamps, types and tags. What only
 * readers of the secondary would see is hidden by a tombstone of its version. Done twice, it
 * changes nothing. Not thread-safe.
 */
public final class RowRepairs {
  /** Whether a request is sent again if it may have been made already. */
  public enum Sending {
    /** Yes: what arrives late is refused when the next pass has begun. */
    REPEATED,
    /** No: nothing refuses what arrives late, so a repair whose answer is lost fails. */
    ONCE
  }

  /** Rows that are read at once. */
  private static final int AT_ONCE = 128;

  private static final int MOST_ATTEMPTS = 50;
  private static final long PAUSE_MS = 200;

  /**
   * A read of one row that has no answer for so long is sent again. HBase's own timeout of a read
   * is as long as that of a scan, so that one lost answer would end the migration's run.
   */
  private static final long READ_SECONDS = 20;

  private final AsyncTable<?> primary;
  private final AsyncTable<?> secondary;
  private final AsyncTable<?> repaired;
  private final RowMapping from;
  private final RowMapping to;
  private final KeptVersions versions;

  /**
   * Repairs rows.
   *
   * @param tagged a connection to which region servers send tags
   * @param versions the versions that the families keep
   * @param turn the run of the migration
   */
  public RowRepairs(
      AsyncConnection tagged,
      KeptVersions versions,
      GenerationSide primary,
      GenerationSide secondary,
      long turn,
      Sending sending) {
    this.versions = versions;
    this.primary = table(tagged, primary).build();
    this.secondary = table(tagged, secondary).build();
    this.repaired =
        sending == Sending.ONCE
            ? table(tagged, secondary).setMaxAttempts(1).build()
            : this.secondary;
    this.from = RowMapping.of(primary.layout()).ofMigration(turn);
    this.to = RowMapping.of(secondary.layout()).ofMigration(turn);
  }

  private static AsyncTableBuilder<?> table(AsyncConnection tagged, GenerationSide side) {
    return tagged.getTableBuilder(side.table()).setReadRpcTimeout(READ_SECONDS, TimeUnit.SECONDS);
  }

  /**
   * Repairs.
   *
   * @param keys logical keys
   * @return those of rows that differed
   */
  public List<byte[]> repair(List<byte[]> keys) throws IOException {
    List<byte[]> differed = new ArrayList<>();
    for (int i = 0; i < keys.size(); i += AT_ONCE) {
      some(keys.subList(i, Math.min(keys.size(), i + AT_ONCE)), differed);
    }
    return differed;
  }

  private void some(List<byte[]> keys, List<byte[]> differed) throws IOException {
    List<CompletableFuture<List<Result>>> rights = new ArrayList<>(keys.size());
    List<CompletableFuture<List<Result>>> others = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      rights.add(primary.scanAll(raw(from, key)));
      others.add(secondary.scanAll(raw(to, key)));
    }
    List<Row> mutations = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      Cell[] right = cells(Futures.get(rights.get(i)));
      Cell[] has = cells(Futures.get(others.get(i)));
      int before = mutations.size();
      add(keys.get(i), right, has, mutations);
      if (mutations.size() > before) {
        differed.add(keys.get(i));
      }
    }
    if (!mutations.isEmpty()) {
      send(mutations);
    }
  }

  // As a batch: HBase's client sends a single mutation without its tags.
  private void send(List<Row> mutations) throws IOException {
    List<Row> left = mutations;
    for (int attempt = 1; !left.isEmpty(); attempt++) {
      List<CompletableFuture<Object>> answers = repaired.batch(left);
      List<Row> refused = new ArrayList<>();
      IOException failure = null;
      for (int i = 0; i < answers.size(); i++) {
        try {
          Futures.get(answers.get(i));
        } catch (IOException e) {
          if (attempt == MOST_ATTEMPTS || !isNotMade(e)) {
            failure = e;
          }
          refused.add(left.get(i));
        }
      }
      if (failure != null) {
        throw failure;
      }
      if (!refused.isEmpty()) {
        pause();
      }
      left = refused;
    }
  }

  // A server has answered that it has not begun with it.
  private static boolean isNotMade(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof NotServingRegionException
          || cause instanceof RegionTooBusyException
          || cause instanceof CallQueueTooBigException) {
        return true;
      }
    }
    return false;
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while rows are repaired");
    }
  }

  private static Scan raw(RowMapping mapping, byte[] key) {
    byte[] row = mapping.physical(key);
    return mapping.stamped(
        new Scan()
            .withStartRow(row)
            .withStopRow(row, true)
            .setRaw(true)
            .readAllVersions()
            .setOneRowLimit()
            .setCacheBlocks(false));
  }

  private static Cell[] cells(List<Result> rows) {
    return rows.isEmpty() ? new Cell[0] : Cells.of(rows.get(0));
  }

  private void add(byte[] key, Cell[] right, Cell[] has, List<Row> mutations) throws IOException {
    byte[] row = to.physical(key);
    Put put = new Put(row);
    Delete delete = new Delete(row);
    Cell[] tombstones = tombstones(right, has);
    List<Cell> wanted = versions.seen(right, tombstones(right));
    Map<Place, Cell> stored = byPlace(has);
    for (Cell cell : wanted) {
      if (isMissing(cell, stored)) {
        put.add(RowRewriter.cell(row, cell));
      }
    }
    for (Cell cell : tombstones(right)) {
      if (!isMark(cell) && isMissing(cell, stored)) {
        delete.add(RowRewriter.cell(row, cell));
      }
    }
    // Cells that readers of the secondary would see in addition.
    Set<Place> places = new HashSet<>();
    wanted.forEach(cell -> places.add(Place.of(cell)));
    for (Cell cell : versions.seen(versions.merged(wanted, has), tombstones)) {
      if (!places.contains(Place.of(cell))) {
        delete.addColumn(
            CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell), cell.getTimestamp());
      }
    }
    if (!delete.isEmpty()) {
      mutations.add(to.stamped(delete));
    }
    if (!put.isEmpty()) {
      mutations.add(to.stamped(put));
    }
  }

  /** Whether a cell is the guard's own, of the generation that it is in. */
  public static boolean isMark(Cell cell) {
    return ChangeMark.isMark(
        cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength());
  }

  private static boolean isMissing(Cell cell, Map<Place, Cell> stored) {
    Cell other = stored.get(Place.of(cell));
    return other == null || !Cells.same(cell, other);
  }

  private static Cell[] tombstones(Cell[]... rows) {
    return Arrays.stream(rows)
        .flatMap(Arrays::stream)
        .filter(cell -> cell.getType() != Cell.Type.Put)
        .toArray(Cell[]::new);
  }

  // Of several values in one place the first is the newest.
  private static Map<Place, Cell> byPlace(Cell[] cells) {
    Map<Place, Cell> byPlace = new HashMap<>();
    for (Cell cell : cells) {
      byPlace.putIfAbsent(Place.of(cell), cell);
    }
    return byPlace;
  }

  /** Column, timestamp and type of a cell, over its own bytes. */
  private record Place(ByteBuffer family, ByteBuffer qualifier, long timestamp, Cell.Type type) {
    static Place of(Cell cell) {
      return new Place(
          ByteBuffer.wrap(cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength()),
          ByteBuffer.wrap(
              cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength()),
          cell.getTimestamp(),
          cell.getType());
    }
  }
}
