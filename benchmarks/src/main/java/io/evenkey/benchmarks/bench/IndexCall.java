/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.io.IOException;

/**
 * A call of a round, made on each side.
 *
 * @param rows the rows that it writes or reads
 * @param work the call
 */
record IndexCall(long rows, Work work) {
  /** A call on one side. */
  @FunctionalInterface
  interface Work {
    void on(IndexSide side) throws IOException;
  }
}
