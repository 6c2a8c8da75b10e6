/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.compare;

import io.evenkey.layout.failure.EvenkeyArgumentException;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The options of a comparison of two tables. Immutable, but for the scans, which must not be
 * changed.
 *
 * @param checkpoint the file that keeps how far the comparison is; null for none
 * @param resume whether to go on where a comparison was interrupted
 * @param checkpointEvery the interval at which the checkpoint is written
 * @param pause the time before rows that differ are read again: writes may be under way
 * @param looks the number of times that such rows are read again before they are called different
 * @param most the number of rows that differ once at which they are read again: the comparison
 *     stops if more than half of them still differ, else it goes on
 * @param scan the compared part of each row: families, columns, time range; all versions of it
 * @param sparesBusy whether a row that changes in both tables from one look to the next counts as
 *     alike; else it is read a hundred times more, and reported if it is not alike once
 */
public record ComparisonOptions(
    @Nullable Path checkpoint,
    boolean resume,
    Duration checkpointEvery,
    Duration pause,
    int looks,
    int most,
    Scan scan,
    boolean sparesBusy) {
  /** All rows, all families, without a checkpoint; rows that differ are read again at once. */
  public static final ComparisonOptions DEFAULT =
      new ComparisonOptions(
          null, false, Duration.ofSeconds(1), Duration.ZERO, 1, 100_000, new Scan(), false);

  /** Checks the numbers. */
  public ComparisonOptions {
    if (pause.isNegative() || looks < 1 || most < 1) {
      throw new EvenkeyArgumentException(
          "comparison out of range: pause=" + pause + " looks=" + looks + " most=" + most);
    }
  }

  /** Returns these options with a checkpoint that is written as often as {@code every} says. */
  public ComparisonOptions checkpoint(Path file, Duration every) {
    return new ComparisonOptions(file, resume, every, pause, looks, most, scan, sparesBusy);
  }

  /** Returns these options, continuing an interrupted comparison or not. */
  public ComparisonOptions resume(boolean interrupted) {
    return new ComparisonOptions(
        checkpoint, interrupted, checkpointEvery, pause, looks, most, scan, sparesBusy);
  }

  /**
   * Returns these options, rereading different rows {@code times} times, after a pause each time.
   */
  public ComparisonOptions looks(int times, Duration before) {
    return new ComparisonOptions(
        checkpoint, resume, checkpointEvery, before, times, most, scan, sparesBusy);
  }

  /** Returns these options that stop when about {@code rows} rows differ. */
  public ComparisonOptions most(int rows) {
    return new ComparisonOptions(
        checkpoint, resume, checkpointEvery, pause, looks, rows, scan, sparesBusy);
  }

  /** Returns these options for these families, columns and times. */
  public ComparisonOptions scan(Scan compared) {
    return new ComparisonOptions(
        checkpoint, resume, checkpointEvery, pause, looks, most, compared, sparesBusy);
  }

  /** Returns these options, by which rows may differ that clients change all the time. */
  public ComparisonOptions sparingBusy() {
    return new ComparisonOptions(
        checkpoint, resume, checkpointEvery, pause, looks, most, scan, true);
  }
}
