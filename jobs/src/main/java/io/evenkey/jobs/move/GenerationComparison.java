package io.evenkey.jobs.move;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.move.MoveColumns;
import io.evenkey.jobs.compare.CellTags;
import io.evenkey.jobs.compare.Cells;
import io.evenkey.jobs.compare.Comparison;
import io.evenkey.jobs.compare.ComparisonOptions;
import io.evenkey.jobs.compare.ComparisonResult;
import io.evenkey.jobs.compare.Difference;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Two generations of a table compared, and what differs repaired. The <em>primary</em> is the
 * generation that clients read and write first, the <em>secondary</em> the other one: a repair
 * makes the secondary as the primary.
 *
 * <p>A comparison of what changed since a moment takes the rows of which a raw scan of either table
 * finds a cell or a deletion of that time or later, and compares these rows whole. Two kinds of
 * cells make that complete for clients of Evenkey:
 *
 * <ul>
 *   <li>what they put or delete at the time of the server;
 *   <li>the clock that every dual write leaves in the primary: it has the time of the server, also
 *       where the client gives its cells older times, or deletes a version by its time.
 * </ul>
 *
 * <p>Other clients leave no clock. What they write with an older time, and versions that they
 * delete, only a comparison of all rows finds. Not thread-safe.
 */
final class GenerationComparison implements AutoCloseable {
  /** Whether clients may write while generations are compared. */
  enum Writers {
    /** Rows that clients write to all the time may differ. */
    ACTIVE,
    /** Every row has to be alike in the end. */
    PAUSED
  }

  /**
   * What a repair has done.
   *
   * @param rows how many were compared
   * @param repaired how many rows were made the same
   * @param left those that still differ
   */
  record Outcome(long rows, long repaired, List<Difference> left) {}

  private static final int LOOKS = 3;

  private final Connection connection;
  private final SpreadTables tables;
  private final Generations generations;
  private final MoveSettings settings;

  private GenerationComparison(
      Connection connection, Generations generations, MoveSettings settings) throws IOException {
    this.connection = connection;
    this.tables = SpreadTables.on(connection);
    this.generations = generations;
    this.settings = settings;
  }

  /**
   * Opens a connection of its own, to which region servers send tags, too.
   *
   * @param plain HBase's own connection: its rows are physical
   */
  static GenerationComparison open(Connection plain, Generations generations, MoveSettings settings)
      throws IOException {
    Connection tagged = ConnectionFactory.createConnection(CellTags.read(plain.getConfiguration()));
    return new GenerationComparison(tagged, generations, settings);
  }

  /**
   * Makes the secondary as the primary.
   *
   * @param from compares rows that changed since then, in milliseconds; 0 for all rows
   */
  Outcome repaired(
      TableName primary, TableName secondary, long from, Writers writers, LongConsumer progress)
      throws IOException {
    Comparison comparison = of(primary, secondary, from, writers);
    ComparisonResult found = complete(comparison.run(progress), primary, secondary);
    List<Difference> left = new ArrayList<>();
    for (Difference difference : found.differences()) {
      if (!isRepaired(comparison, difference, primary, writers)) {
        left.add(difference);
      }
    }
    return new Outcome(found.rows(), found.differences().size() - left.size(), left);
  }

  private static ComparisonResult complete(
      ComparisonResult found, TableName primary, TableName secondary) throws MoveException {
    if (!found.complete()) {
      throw new MoveException(
          "too many rows differ: tables="
              + primary
              + ","
              + secondary
              + " rows="
              + found.differences().size()
              + " or more; find the clients that write without Evenkey, stop them, and roll back");
    }
    return found;
  }

  private boolean isRepaired(
      Comparison comparison, Difference difference, TableName primary, Writers writers)
      throws IOException {
    boolean moving = true;
    for (int look = 0; look < LOOKS && moving; look++) {
      Result before = raw(primary, difference.key());
      if (comparison.repair(difference.key())) {
        return true;
      }
      moving = !Cells.same(before, raw(primary, difference.key()));
    }
    return moving && writers == Writers.ACTIVE;
  }

  /**
   * Rows that differ because a client wrote to the secondary alone.
   *
   * @param from compares rows that changed since then, in milliseconds; 0 for all rows
   * @param switched since when the secondary is the secondary: requests of Evenkey's clients that
   *     were sent before may arrive after that
   */
  List<Difference> unexpected(
      TableName primary, TableName secondary, long from, long switched, LongConsumer progress)
      throws IOException {
    List<Difference> unexpected = new ArrayList<>();
    ComparisonResult found =
        complete(of(primary, secondary, from, Writers.ACTIVE).run(progress), primary, secondary);
    for (Difference difference : found.differences()) {
      // In this order: what a client writes between the two reads is in the primary first.
      Result has = raw(secondary, difference.key());
      Result had = raw(primary, difference.key());
      new UnexpectedWrites(generations.descriptor(primary), switched)
          .in(difference, Cells.of(has), Cells.of(had))
          .ifPresent(unexpected::add);
    }
    return unexpected;
  }

  private Result raw(TableName generation, byte[] key) throws IOException {
    Scan raw = new Scan().setRaw(true).readAllVersions();
    try (ResultScanner rows = tables.generation(generation).scan(KeyRange.point(key), raw)) {
      Result row = rows.next();
      return row == null ? Result.EMPTY_RESULT : row;
    }
  }

  /** Makes one row of the secondary as it is in the primary. */
  void repair(TableName primary, TableName secondary, byte[] key) throws IOException {
    of(primary, secondary, 0, Writers.PAUSED).repair(key);
  }

  private Comparison of(TableName primary, TableName secondary, long from, Writers writers)
      throws IOException {
    Scan compared = new Scan().setCacheBlocks(false);
    generations.families(primary).forEach(compared::addFamily);
    ComparisonOptions options =
        ComparisonOptions.DEFAULT
            .most(settings.most())
            .scan(compared)
            .changes(from == 0 ? null : changes(from));
    return Comparison.of(
        tables.generation(primary),
        tables.generation(secondary),
        writers == Writers.ACTIVE ? options.looks(LOOKS, settings.pause()) : options);
  }

  /** A cell or deletion of each family of each row that has any since a moment. */
  private static Scan changes(long from) throws IOException {
    return new Scan()
        .setRaw(true)
        .readAllVersions()
        .setCacheBlocks(false)
        .setMaxResultsPerColumnFamily(1)
        .setTimeRange(from, Long.MAX_VALUE)
        .setFilter(MoveColumns.changes());
  }

  @Override
  public void close() throws IOException {
    try {
      tables.close();
    } finally {
      connection.close();
    }
  }

  @Override
  public String toString() {
    return "comparison by " + connection;
  }
}
