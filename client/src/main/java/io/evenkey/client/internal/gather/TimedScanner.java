/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import java.io.IOException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.ResultScanner;

/** A scanner whose first answer may be waited for no longer than is said. Not thread-safe. */
public interface TimedScanner extends ResultScanner {
  /**
   * For how long something may be waited for. Immutable.
   *
   * @param leftMs for how many more milliseconds
   * @param late makes the exception if it has not come by then
   */
  record Time(LongSupplier leftMs, Supplier<IOException> late) {}

  /**
   * Bounds the wait of {@link #next} until region servers have sent a row, or have said that they
   * go on to look for one. A scan that goes on may take as long as it likes.
   */
  void boundFirst(Time time);
}
