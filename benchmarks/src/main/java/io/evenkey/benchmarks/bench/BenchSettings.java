/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/**
 * The size of a comparison.
 *
 * @param rows the rows of each table
 * @param buckets the numbers of salt buckets; each has its own tables
 * @param rounds the number of measured rounds
 * @param warmUp the least duration of the warm-up of a side in each scan; zero for no warm-up
 * @param over the number of buckets that a thousand rows which follow each other share; 0 for all
 * @param encoding the block encoding of the tables of plain HBase, Evenkey and hand-written code
 * @param sides the names of the sides that are compared in addition to plain HBase and Evenkey
 */
record BenchSettings(
    BenchRows rows,
    List<Integer> buckets,
    int rounds,
    Duration warmUp,
    int over,
    DataBlockEncoding encoding,
    Set<String> sides) {
  private static final int WARM_UP_ROUNDS = 2;

  /** Copies the list and the set. */
  public BenchSettings {
    buckets = List.copyOf(buckets);
    sides = Set.copyOf(sides);
  }

  /** The least number of warm-up rounds, for the compiler and the caches; they are not measured. */
  int warmUpRounds() {
    return warmUp.isZero() ? 0 : WARM_UP_ROUNDS;
  }
}
