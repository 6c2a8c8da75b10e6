/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import java.io.IOException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.jspecify.annotations.Nullable;

/** A scanner that says since when it has waited. Not thread-safe. */
public interface TimedScanner extends ResultScanner {
  /**
   * For how long something may be waited for. Immutable.
   *
   * @param leftMs for how many more milliseconds
   * @param late makes the exception if it has not come by then
   */
  record Time(LongSupplier leftMs, Supplier<IOException> late) {
    /** Returns the earlier of two deadlines; null if there is none. */
    static @Nullable Time lesser(@Nullable Time a, @Nullable Time b) {
      if (a == null || b == null) {
        return a == null ? b : a;
      }
      return a.leftMs.getAsLong() <= b.leftMs.getAsLong() ? a : b;
    }
  }

  /**
   * When the last call of {@link #next} that had to wait began to wait for the answer of region
   * servers that came last, by {@link System#nanoTime}. A row that has come before it is asked for
   * takes no look at the clock.
   */
  long waitingSince();
}
