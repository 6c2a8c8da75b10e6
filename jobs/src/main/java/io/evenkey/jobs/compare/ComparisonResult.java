/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.compare;

import java.util.List;

/**
 * The result of a comparison. Immutable.
 *
 * @param rows the number of rows of the first table that were compared, with those before a
 *     resumption
 * @param otherRows the number of the second
 * @param cells the number of cells of the first
 * @param suspects the number of rows that differed when they were read first, without those that
 *     were found alike before a resumption
 * @param differences those that still did, in the order of keys
 * @param complete whether both tables were read to their ends
 * @param seconds since it was started or resumed
 */
public record ComparisonResult(
    long rows,
    long otherRows,
    long cells,
    long suspects,
    List<Difference> differences,
    boolean complete,
    double seconds) {
  /** Copies the list. */
  public ComparisonResult {
    differences = List.copyOf(differences);
  }

  /** Whether the tables have the same rows with the same cells, all of them. */
  public boolean isSame() {
    return complete && differences.isEmpty();
  }
}
