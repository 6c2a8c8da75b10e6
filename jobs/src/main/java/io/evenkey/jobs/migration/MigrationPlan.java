/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.message.FailureMessage;
import io.evenkey.protocol.index.IndexColumn;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * The operator's request for a migration. Immutable.
 *
 * @param table the table, as applications call it
 * @param layout the next generation's
 * @param regions the number of regions of the next generation; 0 for those that spread its rows,
 *     see {@link io.evenkey.client.plan.NewTable#spreadRegions}
 * @param by the way of the copy
 * @param pace the largest speed of the copy
 * @param goal the stage up to which the migration runs by itself
 * @param acceptsPause whether reads and writes may pause for seconds, where no guard is
 * @param rewriting the rows that may be rewritten if the layout only has steps more
 * @param keyColumns the fields of the next row key that are taken from columns, if the row key may
 *     be changed; null if it has to stay as it is
 * @param keepsSettings whether the next generation has HBase's settings as they are, and not those
 *     that suit its layout
 */
public record MigrationPlan(
    TableName table,
    Layout layout,
    int regions,
    Migration.By by,
    Migration.Pace pace,
    Stage goal,
    boolean acceptsPause,
    Rewriting rewriting,
    @Nullable List<IndexColumn> keyColumns,
    boolean keepsSettings) {
  /** The rows that may be rewritten where the next layout is the present one with more steps. */
  public enum Rewriting {
    /** None: rows at or after the step refuse it. */
    NONE,
    /** Rewrites the rows at or after the step, in a clone of the table. */
    FROM_STEP,
    /** All, into an empty table. */
    ALL
  }

  /** Checks the number of regions. */
  public MigrationPlan {
    keyColumns = keyColumns == null ? null : List.copyOf(keyColumns);
    if (regions < 0) {
      throw new EvenkeyArgumentException(
          FailureMessage.of("number of regions out of range")
              .with("regions", regions)
              .remedy("give 1 or more"));
    }
  }

  /** Returns a plan that copies by files at full speed and ends when both generations are equal. */
  public static MigrationPlan of(TableName table, Layout layout) {
    return new MigrationPlan(
        table,
        layout,
        0,
        Migration.By.FILES,
        Migration.Pace.FREE,
        Stage.READY,
        false,
        Rewriting.NONE,
        null);
  }

  /** Applies the family settings that suit the layout. */
  public MigrationPlan(
      TableName table,
      Layout layout,
      int regions,
      Migration.By by,
      Migration.Pace pace,
      Stage goal,
      boolean acceptsPause,
      Rewriting rewriting,
      @Nullable List<IndexColumn> keyColumns) {
    this(table, layout, regions, by, pace, goal, acceptsPause, rewriting, keyColumns, false);
  }

  /** Returns this plan so that the next generation keeps HBase's settings of the table. */
  public MigrationPlan keepingSettings() {
    return new MigrationPlan(
        table, layout, regions, by, pace, goal, acceptsPause, rewriting, keyColumns, true);
  }

  /** Returns this plan with this number of regions. */
  public MigrationPlan regions(int count) {
    return new MigrationPlan(
        table, layout, count, by, pace, goal, acceptsPause, rewriting, keyColumns, keepsSettings);
  }

  /** Returns this plan with another way of the copy. */
  public MigrationPlan by(Migration.By way) {
    return new MigrationPlan(
        table,
        layout,
        regions,
        way,
        pace,
        goal,
        acceptsPause,
        rewriting,
        keyColumns,
        keepsSettings);
  }

  /** Returns this plan at another pace. */
  public MigrationPlan withPace(Migration.Pace other) {
    return new MigrationPlan(
        table,
        layout,
        regions,
        by,
        other,
        goal,
        acceptsPause,
        rewriting,
        keyColumns,
        keepsSettings);
  }

  /** Returns this plan with the stage up to which it runs by itself. */
  public MigrationPlan aimFor(Stage end) {
    return new MigrationPlan(
        table, layout, regions, by, pace, end, acceptsPause, rewriting, keyColumns, keepsSettings);
  }

  /** Returns this plan, which goes by names where there is no guard. */
  public MigrationPlan acceptingPause() {
    return new MigrationPlan(
        table, layout, regions, by, pace, goal, true, rewriting, keyColumns, keepsSettings);
  }

  /** Returns this plan, which rewrites these rows where the layout only has more steps. */
  public MigrationPlan rewriting(Rewriting rows) {
    return new MigrationPlan(
        table, layout, regions, by, pace, goal, acceptsPause, rows, keyColumns, keepsSettings);
  }

  /**
   * Returns this plan with another row key.
   *
   * @param columns the fields that are taken from columns; none for an order of the same fields
   */
  public MigrationPlan changingKey(List<IndexColumn> columns) {
    return new MigrationPlan(
        table, layout, regions, by, pace, goal, acceptsPause, rewriting, columns, keepsSettings);
  }
}
