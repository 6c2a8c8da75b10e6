/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The calls of one round on one side.
 *
 * @param rows the rows of all calls
 * @param nanos the time of each call
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record IndexRound(long rows, long[] nanos) {
  /** Makes the calls, one after another. */
  static IndexRound of(List<IndexCall> calls, IndexSide side) throws IOException {
    long rows = 0;
    long[] nanos = new long[calls.size()];
    for (int i = 0; i < nanos.length; i++) {
      IndexCall call = calls.get(i);
      long start = System.nanoTime();
      call.work().on(side);
      nanos[i] = System.nanoTime() - start;
      rows += call.rows();
    }
    return new IndexRound(rows, nanos);
  }

  /** The figure in a unit. */
  double value(Task.Unit unit) {
    double seconds = LongStream.of(nanos).sum() / 1e9;
    return unit == Task.Unit.ROWS_PER_SECOND ? rows / seconds : seconds * 1e3 / nanos.length;
  }
}
