/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.comparison;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.compare.Difference;
import io.evenkey.jobs.compare.OtherKeysComparison;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.migration.row.ChangedKeyRepairs;
import io.evenkey.jobs.migration.row.KeyChange;
import io.evenkey.jobs.migration.row.RepairOutcome;
import io.evenkey.jobs.migration.row.UnplacedRowException;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Rows whose key the migration changes.
 *
 * @param source the generation with the keys before
 * @param target the generation with the next keys
 */
record ChangedKeys(
    SpreadTable source, SpreadTable target, KeyChange keys, ChangedKeyRepairs repairs)
    implements RowPairs {
  /** {@inheritDoc} The source is the primary: the way back begins when both are alike. */
  @Override
  public RepairOutcome all(LongConsumer progress) throws IOException {
    long[] repaired = new long[1];
    long rows =
        new OtherKeysComparison(source, target, keys, new Scan().setCacheBlocks(false))
            .run(some -> repaired[0] += repair(some).size(), progress);
    return new RepairOutcome(rows, repaired[0], List.of());
  }

  @Override
  public void note(List<byte[]> some) throws IOException {
    repairs.note(some);
  }

  @Override
  public boolean notes() {
    return repairs.notes();
  }

  @Override
  public List<byte[]> repair(List<byte[]> some) throws IOException {
    try {
      return repairs.repair(some);
    } catch (UnplacedRowException e) {
      throw unplaced(e);
    }
  }

  @Override
  public List<Difference> differences(List<byte[]> some) throws IOException {
    Layout layout = source.layout();
    try {
      return repairs.differing(some).stream()
          .map(key -> new Difference(Difference.Kind.CELLS, key, layout.labelLogical(key)))
          .toList();
    } catch (UnplacedRowException e) {
      // A client that gives a row another key may have written the second row since the repair.
      throw unplaced(e);
    }
  }

  private MigrationException unplaced(UnplacedRowException failed) {
    return new MigrationException(
        failed.getMessage()
            + " table="
            + source.name()
            + "; delete the row, or write it again as it should be, and "
            + Remedy.RESUME_MIGRATION,
        failed);
  }
}
