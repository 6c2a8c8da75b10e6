/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.step;

import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.layout.Layout;
import io.evenkey.layout.step.AppendedSteps;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.jspecify.annotations.Nullable;

/** Whether a step leaves all rows where they are. Not thread-safe. */
public final class StepCheck {
  private final TableName table;
  private final AppendedSteps steps;
  private final StepRows rows;

  /**
   * @param table the physical table
   */
  public StepCheck(
      Connection plain, TableName table, AppendedSteps steps, MigrationListener listener) {
    this.table = table;
    this.steps = steps;
    this.rows = new StepRows(plain, table, steps.before(), steps.field(), listener);
  }

  /**
   * Refuses a step of the past, or one that rows are beyond already.
   *
   * @throws MigrationException with the first row and the earliest value that works
   */
  public void beforeStart(Instant now) throws IOException {
    Optional<MigrationException> obstacle = obstacle(now);
    if (obstacle.isPresent()) {
      throw obstacle.get();
    }
  }

  /** Why the step cannot be taken without a row being rewritten; empty if it can. */
  public Optional<MigrationException> obstacle(Instant now) throws IOException {
    Optional<MigrationException> beyond = beyond(now);
    if (beyond.isPresent()) {
      return beyond;
    }
    String first = StepProposal.bare(steps.after().steps(), steps.before().steps().count());
    return StepProposal.isPast(steps.field(), first, now)
        ? Optional.of(refused("step is in the past", rows.highest().orElse(null), now))
        : Optional.empty();
  }

  /** Why rows are in the way of the step; empty if none is. */
  public Optional<MigrationException> beyond(Instant now) throws IOException {
    return rows.beyond(steps)
        .map(
            found ->
                refused(
                    "rows at or after the step are stored already: first=\"" + found.first() + '"',
                    found.highest(),
                    now));
  }

  /** The first row at or after the step, in words; empty if there is none. */
  public Optional<String> first() throws IOException {
    return rows.beyond(steps).map(StepRows.RowsPastStep::first);
  }

  /**
   * Why the table cannot get one of the two layouts: a server without the guard, which does not
   * hold rows at or after the step, has stored some by the other one; empty if it can.
   */
  public Optional<MigrationException> misplaced(Layout next, Instant now) throws IOException {
    return rows.misplaced(steps, next)
        .map(
            found -> {
              String why =
                  "rows at or after the step were written without the guard while it was taken: first=\""
                      + found.first()
                      + '"';
              return next.equals(steps.after())
                  ? refused(why, found.highest(), now)
                  : new MigrationException(
                      table,
                      why,
                      "layout=\"" + steps.after() + '"',
                      "the layout before the step does not find them: " + Remedy.FINISH);
            });
  }

  private MigrationException refused(String why, @Nullable Object highest, Instant now) {
    return new MigrationException(
        why
            + ": table="
            + table
            + " field="
            + steps.field().name()
            + " from="
            + steps.from()
            + (highest == null ? "" : " highest=" + steps.field().type().display(highest))
            + "; the earliest value that works now is "
            + StepProposal.earliest(steps.field(), highest, now)
            + "; or "
            + Remedy.REWRITE
            + ", or "
            + Remedy.COPY_ALL);
  }
}
