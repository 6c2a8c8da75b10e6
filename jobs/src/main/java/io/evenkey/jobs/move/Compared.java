package io.evenkey.jobs.move;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.jobs.compare.Comparison;
import io.evenkey.jobs.compare.ComparisonOptions;
import io.evenkey.jobs.compare.ComparisonResult;
import io.evenkey.jobs.compare.Difference;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;

/** Two generations of a table compared, and what differs repaired. Not thread-safe. */
final class Compared {
  /**
   * What a repair has done.
   *
   * @param repaired how many rows were made the same
   * @param left those that differ still
   */
  record Outcome(long repaired, List<Difference> left) {}

  private static final int LOOKS = 3;

  private final SpreadTables tables;
  private final Generations generations;
  private final MoveSettings settings;
  private final LongConsumer progress;

  Compared(
      SpreadTables tables, Generations generations, MoveSettings settings, LongConsumer progress) {
    this.tables = tables;
    this.generations = generations;
    this.settings = settings;
    this.progress = progress;
  }

  /**
   * Makes the second as the first.
   *
   * @param from cells from this time on
   */
  Outcome repaired(TableName first, TableName second, long from) throws IOException {
    Comparison comparison = of(first, second, from);
    ComparisonResult found = comparison.run(progress);
    if (!found.complete()) {
      throw new MoveException(
          "too many rows differ: tables="
              + first
              + " "
              + second
              + " rows="
              + found.differences().size()
              + " or more; roll back, and look at who writes past Evenkey");
    }
    List<Difference> left = comparison.repair(found.differences());
    for (int look = 1; look < LOOKS && !left.isEmpty(); look++) {
      // Somebody wrote to that row meanwhile.
      left = comparison.repair(left);
    }
    return new Outcome(found.differences().size() - left.size(), left);
  }

  /** What differs. */
  List<Difference> differences(TableName first, TableName second, long from) throws IOException {
    return of(first, second, from).run(progress).differences();
  }

  /** Makes one row of the second as it is in the first. */
  void repair(TableName first, TableName second, byte[] key) throws IOException {
    of(first, second, 0).repair(key);
  }

  private Comparison of(TableName first, TableName second, long from) throws IOException {
    SpreadTable a = tables.generation(first);
    SpreadTable b = tables.generation(second);
    Scan scan = new Scan().setCacheBlocks(false);
    generations.families(first).forEach(scan::addFamily);
    if (from > 0) {
      scan.setTimeRange(from, Long.MAX_VALUE);
    }
    // How far it is, is not kept: the next one begins anew.
    Path nowhere = Path.of("evenkey-compare-" + first.getQualifierAsString() + ".none");
    return Comparison.of(
        a,
        b,
        new ComparisonOptions(
            nowhere, false, Duration.ofDays(365), settings.pause(), LOOKS, settings.most(), scan));
  }
}
