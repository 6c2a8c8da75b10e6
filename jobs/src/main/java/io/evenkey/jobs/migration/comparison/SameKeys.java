/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.comparison;

import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.compare.Comparison;
import io.evenkey.jobs.compare.ComparisonResult;
import io.evenkey.jobs.compare.Difference;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.migration.row.GenerationSide;
import io.evenkey.jobs.migration.row.RepairOutcome;
import io.evenkey.jobs.migration.row.RowRepairs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** Rows that have the same logical key in both generations. */
record SameKeys(
    GenerationSide primary, GenerationSide secondary, Comparison comparison, RowRepairs repairs)
    implements RowPairs {
  @Override
  public RepairOutcome all(LongConsumer progress) throws IOException {
    ComparisonResult found = comparison.run(progress);
    List<byte[]> keys = new ArrayList<>();
    found.differences().forEach(difference -> keys.add(difference.key()));
    long repaired = repair(keys).size();
    if (!found.complete()) {
      throw new MigrationException(
          "too many rows differ: tables="
              + primary.table()
              + ","
              + secondary.table()
              + " rows="
              + keys.size()
              + " or more; these are repaired: "
              + Remedy.RESUME_MIGRATION
              + ", which compares again, or "
              + Remedy.ROLL_BACK);
    }
    return new RepairOutcome(found.rows(), repaired, List.of());
  }

  @Override
  public List<byte[]> repair(List<byte[]> keys) throws IOException {
    return repairs.repair(keys);
  }

  @Override
  public List<Difference> differences(List<byte[]> keys) throws IOException {
    return comparison.differences(keys);
  }
}
