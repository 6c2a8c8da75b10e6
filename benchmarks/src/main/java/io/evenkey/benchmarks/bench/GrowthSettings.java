/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/**
 * The size of a comparison of growth.
 *
 * @param rows the rows of each table, half of them before the step
 * @param before the number of buckets before the step
 * @param after the number of buckets from the step on
 * @param rounds the number of measured rounds
 * @param encoding the block encoding of all tables
 */
record GrowthSettings(int rows, int before, int after, int rounds, DataBlockEncoding encoding) {
  /** The number of the first row at the step. */
  int step() {
    return rows / 2;
  }
}
