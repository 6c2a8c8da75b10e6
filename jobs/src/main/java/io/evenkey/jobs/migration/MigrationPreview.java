/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.jobs.split.RowEstimate;
import io.evenkey.layout.Layout;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.TableName;

/**
 * What a migration would do, for the operator who decides whether it begins. Nothing has been
 * changed for it. Immutable.
 *
 * @param source the generation in use
 * @param before its layout
 * @param after the layout of the migration
 * @param way the rows that are written
 * @param by the way of the copy
 * @param fence the mechanism that will keep clients from the generation before
 * @param rows of the table
 * @param megabytes of the table, in files as they are compressed and in memory, of one replica
 * @param regionsBefore the number of regions now
 * @param regionsAfter the number of regions afterwards; fewer if there are too few rows to cut by
 * @param servers the number of region servers
 * @param time for about how long it will copy and compare
 * @param pause for about how long writes will pause at the switch
 * @param settings HBase's settings that change, each with its reason
 * @param warnings what may be wrong with it
 * @param obstacles why it would be refused; empty if it would not
 */
public record MigrationPreview(
    TableName source,
    Layout before,
    Layout after,
    Way way,
    Migration.By by,
    Migration.Fence fence,
    RowEstimate rows,
    double megabytes,
    int regionsBefore,
    int regionsAfter,
    int servers,
    Duration time,
    Duration pause,
    List<String> settings,
    List<String> warnings,
    List<String> obstacles) {
  /** The rows that a migration writes. */
  public enum Way {
    /** All, into an empty table. */
    COPY,
    /** Rewrites the rows at or after a step, in a clone of the table. */
    CLONE,
    /** None: a step changes the layout alone. */
    STEP
  }

  /** Copies the lists. */
  public MigrationPreview {
    settings = List.copyOf(settings);
    warnings = List.copyOf(warnings);
    obstacles = List.copyOf(obstacles);
  }

  /** Megabytes that the next generation takes, until the one before is dropped. */
  public double diskMegabytes() {
    return way == Way.COPY ? megabytes : 0;
  }

  /** Returns this preview without an obstacle that the operator has said to remove. */
  public MigrationPreview without(String obstacle) {
    return new MigrationPreview(
        source,
        before,
        after,
        way,
        by,
        fence,
        rows,
        megabytes,
        regionsBefore,
        regionsAfter,
        servers,
        time,
        pause,
        settings,
        warnings,
        obstacles.stream().filter(each -> !each.contains(obstacle)).toList());
  }
}
