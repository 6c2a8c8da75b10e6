/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.comparison;

import io.evenkey.jobs.compare.Difference;
import io.evenkey.jobs.migration.row.RepairOutcome;
import java.io.IOException;
import java.util.List;
import java.util.function.LongConsumer;

/** The rows of two generations that belong together, compared and repaired. */
sealed interface RowPairs permits SameKeys, ChangedKeys {
  /** Makes all rows of the secondary as they are in the primary. */
  RepairOutcome all(LongConsumer progress) throws IOException;

  /** Is called with the keys of all rows of a pass before the first of them is repaired. */
  default void note(List<byte[]> keys) throws IOException {}

  /** Whether {@link #note} has to be called. */
  default boolean notes() {
    return false;
  }

  /**
   * Makes rows of the secondary as they are in the primary.
   *
   * @param keys logical keys in the primary
   * @return those of rows that differed
   */
  List<byte[]> repair(List<byte[]> keys) throws IOException;

  /**
   * The rows that differ, while no client writes them.
   *
   * @param keys logical keys in the primary
   */
  List<Difference> differences(List<byte[]> keys) throws IOException;
}
