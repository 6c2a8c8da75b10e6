/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.protocol;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.guard.GuardControl.Acknowledged;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationRecord;
import io.evenkey.jobs.migration.comparison.GenerationComparison;
import io.evenkey.jobs.migration.comparison.GenerationComparison.Marks;
import io.evenkey.jobs.migration.comparison.GenerationComparison.Writers;
import io.evenkey.jobs.migration.row.GenerationSide;
import io.evenkey.jobs.migration.row.RepairOutcome;
import io.evenkey.protocol.guard.GuardedSince;
import java.io.IOException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the secondary generation as the primary: all rows once, then in passes those that clients
 * have written since. A pass ends the numbering of marks that the one before has begun, finds the
 * rows with these marks, and repairs them. Not thread-safe.
 *
 * <p>Rows with marks are looked for by the time of the marks, which is the region server's. Where
 * no region was opened since the marks began, those are the clocks that were asked then; else a
 * region may have been on a server whose clock is behind by up to {@link #CLOCKS_MS}.
 */
final class RepairPasses {
  private static final Logger LOG = LoggerFactory.getLogger(RepairPasses.class);

  /** The largest difference between the clocks of servers. */
  static final long CLOCKS_MS = 60_000;

  /** The largest setback of one server's clock. */
  private static final long STEP_MS = 2_000;

  private final MigrationRecord record;
  private final GenerationComparison comparison;
  private final MigrationListener listener;

  // When the marks that the next pass compares were begun; null if an earlier run has begun them.
  private @Nullable Acknowledged begun;
  private boolean comparedAll;

  // Since when the generation that clients have left had the guard, when it was compared last; null
  // if this run has not compared it.
  private @Nullable GuardedSince comparedLeft;

  RepairPasses(
      MigrationRecord record, GenerationComparison comparison, MigrationListener listener) {
    this.record = record;
    this.comparison = comparison;
    this.listener = listener;
  }

  // 0 if the servers' clocks differ by too much.
  private static long since(Acknowledged now) {
    boolean alike = now.latestAheadMs() - now.earliestAheadMs() < CLOCKS_MS / 2;
    return alike ? now.earliestMs() - CLOCKS_MS : 0;
  }

  /** Compares all rows, once in a run: what changed since is enough then. */
  void all(GenerationSide primary, GenerationSide secondary) throws IOException {
    if (comparedAll) {
      return;
    }
    double rows = record.migration().work().rows();
    record.count(
        comparison.all(
            primary,
            secondary,
            record.turn(),
            done -> listener.progress(rows == 0 ? 0 : Math.min(1, done / rows), done)));
    comparedAll = true;
  }

  /**
   * Repairs the rows with marks of the passes before the present one; all rows if there may be some
   * without.
   *
   * @param now the answers of all regions since the present pass began
   */
  void marked(GenerationSide primary, GenerationSide secondary, Acknowledged now)
      throws IOException {
    if (isMarked(now)) {
      record.count(pass(primary, secondary, now.pass() - 1, now, Writers.ACTIVE));
    } else {
      LOG.warn(
          "all rows of {} are compared again: a region was open without the guard, or two were"
              + " merged, since pass {}, so rows may have been written without a mark",
          primary.table(),
          record.migration().work().comparedThrough() + 1);
      again(primary, secondary);
    }
  }

  private void again(GenerationSide primary, GenerationSide secondary) throws IOException {
    comparedAll = false;
    all(primary, secondary);
  }

  /**
   * Whether the generation that clients have left has no rows but those that were compared: it had
   * the guard since it was closed, or this run has compared all rows since it had none.
   *
   * @param left the answers of its regions
   */
  boolean isCompared(Acknowledged left) {
    return left.guarded().pass() <= left.pass() || left.guarded().equals(comparedLeft);
  }

  /**
   * Compares all rows, since the generation that clients have left was open without the guard.
   *
   * @param left the answers of its regions
   */
  void left(GenerationSide primary, GenerationSide secondary, Acknowledged left)
      throws IOException {
    LOG.warn(
        "all rows of {} are compared again: a region of {} was open without the guard since"
            + " clients have left it, or two were merged, so rows may have been written there",
        primary.table(),
        secondary.table());
    again(primary, secondary);
    comparedLeft = left.guarded();
  }

  /**
   * Checks that the generation that clients have left {@linkplain #isCompared has} no other rows.
   *
   * @throws MigrationException if it may have some
   */
  void checkCompared(GenerationSide side, Acknowledged left) throws MigrationException {
    if (!isCompared(left)) {
      throw new MigrationException(
          side.table(),
          "generation that is not in use was open without the guard during the rollback, or two regions were merged",
          "",
          "rows may have been written there: "
              + Remedy.SHOW_SERVERS
              + "; when all have it, "
              + Remedy.ROLL_BACK
              + " again, which compares all rows");
    }
  }

  /**
   * Records that rows with marks of the passes before the present one are alike in both
   * generations.
   *
   * @param now the answers of all regions since the present pass began
   */
  void record(Acknowledged now) throws IOException {
    count(now.pass() - 1, since(now));
    begun = now;
  }

  /** Records that rows with any mark are still to be compared. */
  void forget() throws IOException {
    count(0, 0);
  }

  /**
   * Records that no row is compared that was written since the target was closed. Before its first
   * mark, too, a region of it may have been open without the guard.
   *
   * @param now the answers of all regions since clients write the target
   * @param again whether a run that died has opened it before
   */
  void opened(Acknowledged now, boolean again) throws IOException {
    count(-1, again ? 0 : since(now));
    begun = again ? null : now;
  }

  private void count(int through, long since) throws IOException {
    Migration migration = record.migration();
    record.store(migration.withWork(migration.work().compared(through, since)));
  }

  /** Whether all rows that were written since the last comparison have marks. */
  private boolean isMarked(Acknowledged now) {
    return now.guarded().pass() <= record.migration().work().comparedThrough() + 1;
  }

  /**
   * Checks that no region was open without the guard since the last comparison.
   *
   * @throws MigrationException if one was
   */
  void checkMarked(GenerationSide primary, Acknowledged now) throws MigrationException {
    if (!isMarked(now)) {
      throw new MigrationException(
          primary.table(),
          "region was open without the guard while writes were marked, or two were merged",
          "",
          "rows may have been written without a mark: "
              + Remedy.SHOW_SERVERS
              + ", and when all have it, "
              + Remedy.RESUME_MIGRATION
              + ", which compares all rows");
    }
  }

  /**
   * Makes the last pass: clients do not write.
   *
   * @param paused the answers of all regions since then
   * @return the result, which the record does not count yet
   */
  RepairOutcome last(GenerationSide primary, GenerationSide secondary, Acknowledged paused)
      throws IOException {
    checkMarked(primary, paused);
    return pass(primary, secondary, paused.pass(), paused, Writers.PAUSED);
  }

  private RepairOutcome pass(
      GenerationSide primary,
      GenerationSide secondary,
      int through,
      Acknowledged now,
      Writers writers)
      throws IOException {
    Migration.Work work = record.migration().work();
    Marks marks = new Marks(work.comparedThrough() + 1, through, since(work, now));
    LongConsumer progress = rows -> listener.progress(0, rows);
    return comparison.changed(primary, secondary, record.turn(), marks, writers, progress);
  }

  private long since(Migration.Work work, Acknowledged now) {
    Acknowledged then = begun;
    return then != null && then.isSameRegionsAs(now, STEP_MS)
        ? Math.max(work.changedSince(), then.earliestMs() - STEP_MS)
        : work.changedSince();
  }
}
