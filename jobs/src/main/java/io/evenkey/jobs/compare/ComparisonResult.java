package io.evenkey.jobs.compare;

import java.util.List;

/**
 * The result of a comparison. Immutable.
 *
 * @param rows how many rows of the first table were compared, those before a resumption included
 * @param otherRows how many of the second
 * @param cells how many cells of the first
 * @param suspects how many rows differed at first sight
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
