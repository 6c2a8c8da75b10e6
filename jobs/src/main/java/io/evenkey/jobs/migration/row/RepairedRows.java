/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.row;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.jobs.compare.Cells;
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
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;

/**
 * The rows of both generations, as a repair reads and writes them: raw, and what makes a row of the
 * secondary as it is to be. Not thread-safe.
 */
final class RepairedRows {
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

  /** To which repairs are not replicated: the clusters make their own. */
  private final List<UUID> peers;

  /**
   * @param tagged a connection to which region servers send tags
   * @param versions the versions that the families keep
   * @param turn the run of the migration
   */
  RepairedRows(
      AsyncConnection tagged,
      KeptVersions versions,
      GenerationSide primary,
      GenerationSide secondary,
      long turn,
      RowRepairs.Sending sending) {
    this.versions = versions;
    this.peers = secondary.peers();
    this.primary = table(tagged, primary.table()).build();
    this.secondary = table(tagged, secondary.table()).build();
    this.repaired =
        sending == RowRepairs.Sending.ONCE
            ? table(tagged, secondary.table()).setMaxAttempts(1).build()
            : this.secondary;
    this.from = RowMapping.of(primary.layout()).ofMigration(turn);
    this.to = RowMapping.of(secondary.layout()).ofMigration(turn);
  }

  static AsyncTableBuilder<?> table(AsyncConnection tagged, TableName name) {
    return tagged.getTableBuilder(name).setReadRpcTimeout(READ_SECONDS, TimeUnit.SECONDS);
  }

  /** The keys of the rows that are read at once. */
  static List<List<byte[]>> parts(List<byte[]> keys) {
    List<List<byte[]>> parts = new ArrayList<>();
    for (int i = 0; i < keys.size(); i += AT_ONCE) {
      parts.add(keys.subList(i, Math.min(keys.size(), i + AT_ONCE)));
    }
    return parts;
  }

  /** Begins to read a row of the primary. */
  CompletableFuture<List<Result>> primary(byte[] key) {
    return primary.scanAll(raw(from, key));
  }

  /** Begins to read a row of the secondary. */
  CompletableFuture<List<Result>> secondary(byte[] key) {
    return secondary.scanAll(raw(to, key));
  }

  /** The cells that were read; none if the row is not there. */
  static Cell[] cells(CompletableFuture<List<Result>> read) throws IOException {
    List<Result> rows = Futures.get(read);
    return rows.isEmpty() ? new Cell[0] : Cells.of(rows.get(0));
  }

  /** Sends mutations of the secondary, and waits for them. */
  // As a batch: HBase's client sends a single mutation without its tags.
  void send(List<Row> mutations) throws IOException {
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

  static void pause() throws IOException {
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

  /**
   * Adds the mutations that make a row of the secondary as it is to be.
   *
   * @param key the logical key there
   * @param right the cells that the row is to have, with deletions
   * @param has the cells that it has, with deletions
   */
  void add(byte[] key, Cell[] right, Cell[] has, List<Row> mutations) throws IOException {
    byte[] row = to.physical(key);
    Put put = new Put(row);
    Delete delete = new Delete(row);
    Cell[] tombstones = tombstones(right, has);
    List<Cell> wanted = versions.seen(right, tombstones(right));
    Map<CellKey, Cell> stored = byPlace(has);
    for (Cell cell : wanted) {
      if (isMissing(cell, stored)) {
        put.add(RowRewriter.cell(row, cell));
      }
    }
    for (Cell cell : tombstones(right)) {
      if (!RowRepairs.isMark(cell) && isMissing(cell, stored)) {
        delete.add(RowRewriter.cell(row, cell));
      }
    }
    // Cells that readers of the secondary would see in addition.
    Set<CellKey> places = new HashSet<>();
    wanted.forEach(cell -> places.add(CellKey.of(cell)));
    for (Cell cell :
        versions.additional(
            cell -> places.contains(CellKey.of(cell)), versions.merged(wanted, has), tombstones)) {
      delete.addColumn(
          CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell), cell.getTimestamp());
    }
    if (!delete.isEmpty()) {
      mutations.add(stamped(delete));
    }
    if (!put.isEmpty()) {
      mutations.add(stamped(put));
    }
  }

  private Mutation stamped(Mutation mutation) {
    return to.stamped(GenerationSide.notReplicated(mutation, peers));
  }

  /** Whether readers see the same of both rows. */
  boolean isAlike(Cell[] right, Cell[] has) {
    Cell[] wanted = seen(right);
    Cell[] seen = seen(has);
    if (wanted.length != seen.length) {
      return false;
    }
    for (int i = 0; i < wanted.length; i++) {
      if (!Cells.same(wanted[i], seen[i])) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether readers would not see all of a row of the secondary, whatever is written to it: it has
   * deletions of cells that it is to have.
   */
  boolean isHidden(Cell[] right, Cell[] has) {
    Cell[] wanted = seen(right);
    return versions.seen(wanted, tombstones(has)).size() < wanted.length;
  }

  /** The cells of a row that readers see. */
  Cell[] seen(Cell[] row) {
    return versions.seen(row, tombstones(row)).toArray(new Cell[0]);
  }

  private static boolean isMissing(Cell cell, Map<CellKey, Cell> stored) {
    Cell other = stored.get(CellKey.of(cell));
    return other == null || !Cells.same(cell, other);
  }

  /** The deletions among the cells of rows. */
  static Cell[] tombstones(Cell[]... rows) {
    return Arrays.stream(rows)
        .flatMap(Arrays::stream)
        .filter(cell -> cell.getType() != Cell.Type.Put)
        .toArray(Cell[]::new);
  }

  // Of several values in one place the first is the newest.
  private static Map<CellKey, Cell> byPlace(Cell[] cells) {
    Map<CellKey, Cell> byPlace = new HashMap<>();
    for (Cell cell : cells) {
      byPlace.putIfAbsent(CellKey.of(cell), cell);
    }
    return byPlace;
  }

  /** Column, timestamp and type of a cell, over its own bytes. */
  private record CellKey(ByteBuffer family, ByteBuffer qualifier, long timestamp, Cell.Type type) {
    static CellKey of(Cell cell) {
      return new CellKey(
          ByteBuffer.wrap(cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength()),
          ByteBuffer.wrap(
              cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength()),
          cell.getTimestamp(),
          cell.getType());
    }
  }
}
