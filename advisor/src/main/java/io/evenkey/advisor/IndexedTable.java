/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor;

import java.util.List;

/**
 * A table with the indexes that pay for its queries; often none. Immutable.
 *
 * @param table the table's layout, with its figures without indexes
 * @param score of the table with its indexes, by {@link Advisor}'s formula
 * @param error the sample's error of the score: 19 of 20 samples are off by less
 * @param reads the part of it that is of the reads, from 0 to 1
 * @param indexes the indexes, the one that pays most first
 * @param queries how each query of the workload reads
 */
public record IndexedTable(
    Advice.Ranked table,
    double score,
    double error,
    double reads,
    List<ProposedIndex> indexes,
    List<QueryAccess> queries) {
  /** Copies the lists. */
  public IndexedTable {
    indexes = List.copyOf(indexes);
    queries = List.copyOf(queries);
  }

  Standing standing() {
    return new Standing(
        score,
        error,
        Score.margin(table.evaluation(), indexes.stream().map(ProposedIndex::evaluation).toList()));
  }

  /** Rows and entries written for each row. */
  public int writesPerRow() {
    return 1 + indexes.size();
  }

  /** Bytes of the keys of entries for each row, before compression. */
  public double entryBytes() {
    return indexes.stream().mapToDouble(index -> index.evaluation().keyBytes()).sum();
  }
}
