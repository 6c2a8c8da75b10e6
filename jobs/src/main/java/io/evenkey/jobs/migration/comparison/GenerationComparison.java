/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.comparison;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.jobs.compare.CellTags;
import io.evenkey.jobs.compare.Comparison;
import io.evenkey.jobs.compare.ComparisonOptions;
import io.evenkey.jobs.compare.Difference;
import io.evenkey.jobs.migration.MigrationSettings;
import io.evenkey.jobs.migration.row.ChangedKeyRepairs;
import io.evenkey.jobs.migration.row.GenerationSide;
import io.evenkey.jobs.migration.row.KeptVersions;
import io.evenkey.jobs.migration.row.KeyChange;
import io.evenkey.jobs.migration.row.RepairOutcome;
import io.evenkey.jobs.migration.row.RowRepairs;
import io.evenkey.jobs.split.RegionRanges;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.protocol.guard.ChangeMark;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;

/**
 * Two generations of a table compared, and what differs repaired. The <em>primary</em> is the
 * generation that clients write, the <em>secondary</em> the other one, which only the migration
 * writes: a repair makes the secondary as the primary.
 *
 * <p>Which rows changed is known by the marks that the guard leaves in every row that is written,
 * whatever client wrote it, and whatever timestamps its cells have; or, where there is no guard, by
 * the store files that are new. Not thread-safe.
 */
public final class GenerationComparison implements AutoCloseable {
  /** Whether clients may write to the primary while generations are compared. */
  public enum Writers {
    /** Rows that are written during the comparison may differ: they have a mark of a later pass. */
    ACTIVE,
    /** Every row has to be alike in the end. */
    PAUSED
  }

  /**
   * The marks of some passes.
   *
   * @param from the first pass
   * @param through the last pass
   * @param sinceMs the rows were written at this time or later, milliseconds since 1970 by the
   *     servers' clocks; 0 if that is not known
   */
  public record Marks(int from, int through, long sinceMs) {}

  /** A part of the rows that may differ. */
  @FunctionalInterface
  interface Part {
    /** Finds them. */
    void read(Comparison.Keys some) throws IOException;
  }

  /** A client moves a row from one key to another within this time. */
  private static final Duration MOVES = Duration.ofSeconds(5);

  /** Scans for changed rows that run at once. */
  private static final int AT_ONCE = 8;

  private final ExecutorService threads =
      Executors.newFixedThreadPool(AT_ONCE, GenerationComparison::thread);
  private final Connection connection;
  private final AsyncConnection tagged;
  private final SpreadTables tables;
  private final MigrationSettings settings;
  private final RowRepairs.Sending sending;

  private GenerationComparison(
      Connection connection,
      AsyncConnection tagged,
      MigrationSettings settings,
      RowRepairs.Sending sending) {
    this.connection = connection;
    this.tagged = tagged;
    this.tables = SpreadTables.on(connection);
    this.settings = settings;
    this.sending = sending;
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "evenkey-changed-rows");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Opens a connection of its own, to which region servers send tags, too.
   *
   * @param plain HBase's own connection: its rows are physical
   */
  public static GenerationComparison open(
      Connection plain, MigrationSettings settings, RowRepairs.Sending sending) throws IOException {
    Configuration tags = CellTags.read(EvenkeyConnection.plain(plain.getConfiguration()));
    return new GenerationComparison(
        ConnectionFactory.createConnection(tags),
        Futures.get(ConnectionFactory.createAsyncConnection(tags)),
        settings,
        sending);
  }

  /**
   * Makes all rows of the secondary as they are in the primary, while clients write.
   *
   * @param turn the run of the migration
   */
  public RepairOutcome all(
      GenerationSide primary, GenerationSide secondary, long turn, LongConsumer progress)
      throws IOException {
    return pairs(primary, secondary, turn, Writers.ACTIVE).all(progress);
  }

  /** Makes the rows with marks as they are in the primary. */
  public RepairOutcome changed(
      GenerationSide primary,
      GenerationSide secondary,
      long turn,
      Marks marks,
      Writers writers,
      LongConsumer progress)
      throws IOException {
    SpreadTable changed = open(primary, turn);
    List<Part> parts = new ArrayList<>();
    for (Scan part : parts(primary.table(), changes(marks))) {
      parts.add(keys -> Comparison.changed(changed, part, keys));
    }
    return changed(primary, secondary, turn, parts, writers, progress);
  }

  /** Makes rows as they are in the primary. */
  public RepairOutcome changed(
      GenerationSide primary,
      GenerationSide secondary,
      long turn,
      List<Part> parts,
      Writers writers,
      LongConsumer progress)
      throws IOException {
    RowPairs pairs = pairs(primary, secondary, turn, writers);
    if (pairs.notes()) {
      read(parts, pairs::note);
    }
    long[] counts = new long[2];
    List<Difference> left = new ArrayList<>();
    read(
        parts,
        keys -> {
          synchronized (counts) {
            counts[0] += keys.size();
            counts[1] += pairs.repair(keys).size();
            if (writers == Writers.PAUSED) {
              left.addAll(pairs.differences(keys));
            }
            progress.accept(counts[0]);
          }
        });
    return new RepairOutcome(counts[0], counts[1], left);
  }

  private void read(List<Part> parts, Comparison.Keys some) throws IOException {
    List<Callable<Void>> calls = new ArrayList<>();
    for (Part part : parts) {
      calls.add(
          () -> {
            part.read(some);
            return null;
          });
    }
    runAll(calls);
  }

  // Most regions have no changed row, but each costs a request.
  private List<Scan> parts(TableName table, Scan all) throws IOException {
    byte[][] starts;
    try (RegionLocator regions = connection.getRegionLocator(table)) {
      starts = regions.getStartKeys();
    }
    List<Scan> parts = new ArrayList<>();
    for (KeyRange part : RegionRanges.into(AT_ONCE, starts)) {
      parts.add(new Scan(all).withStartRow(part.start()).withStopRow(part.stop()));
    }
    return parts;
  }

  private void runAll(List<Callable<Void>> parts) throws IOException {
    List<Future<Void>> done;
    try {
      done = threads.invokeAll(parts);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while generations are compared");
    }
    for (Future<Void> part : done) {
      Futures.get(part);
    }
  }

  private RowPairs pairs(
      GenerationSide primary, GenerationSide secondary, long turn, Writers writers)
      throws IOException {
    KeptVersions versions;
    try (Admin admin = connection.getAdmin()) {
      versions = KeptVersions.of(admin.getDescriptor(primary.table()));
    }
    SpreadTable first = open(primary, turn);
    SpreadTable second = open(secondary, turn);
    KeyChange toSecond = secondary.keys();
    KeyChange toFirst = primary.keys();
    if (toSecond == null && toFirst == null) {
      ComparisonOptions options =
          ComparisonOptions.DEFAULT.most(settings.most()).scan(new Scan().setCacheBlocks(false));
      return new SameKeys(
          primary,
          secondary,
          Comparison.of(first, second, options),
          new RowRepairs(tagged, versions, primary, secondary, turn, sending));
    }
    // A client whose writes pause does not go on.
    Duration patience = writers == Writers.ACTIVE ? MOVES : Duration.ZERO;
    ChangedKeyRepairs repairs =
        new ChangedKeyRepairs(tagged, versions, primary, secondary, turn, patience);
    return toSecond != null
        ? new ChangedKeys(first, second, toSecond, repairs)
        : new ChangedKeys(second, first, Objects.requireNonNull(toFirst), repairs);
  }

  private SpreadTable open(GenerationSide side, long turn) {
    return tables.generation(side.table(), side.layout(), turn);
  }

  private static Scan changes(Marks marks) throws IOException {
    Scan changes =
        new Scan()
            .setRaw(true)
            .setCacheBlocks(false)
            .setMaxResultsPerColumnFamily(1)
            .setFilter(
                new ColumnRangeFilter(
                    ChangeMark.qualifier(marks.from()),
                    true,
                    ChangeMark.qualifier(marks.through()),
                    true));
    return marks.sinceMs() <= 0 ? changes : changes.setTimeRange(marks.sinceMs(), Long.MAX_VALUE);
  }

  @Override
  public void close() throws IOException {
    try {
      threads.shutdownNow();
      tables.close();
      tagged.close();
    } finally {
      connection.close();
    }
  }

  @Override
  public String toString() {
    return "comparison by " + connection;
  }
}
