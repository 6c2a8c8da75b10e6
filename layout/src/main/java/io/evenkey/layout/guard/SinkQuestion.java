/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.guard;

import java.util.Arrays;

/**
 * A question to the guard of a region, the value of {@link GuardAttributes#ASK}: when HBase's
 * replication last wrote to it. The answer is a {@linkplain GuardAttributes#number(long) number},
 * milliseconds since 1970 by the region server's clock; 0 if it has not written since the region
 * opened. Stateless.
 */
public final class SinkQuestion {
  // Other questions have other lengths.
  private static final byte[] ASK = {1};

  private SinkQuestion() {}

  /** The value that asks. */
  public static byte[] ask() {
    return ASK.clone();
  }

  /** Whether a value asks this. */
  public static boolean isIn(byte[] ask) {
    return Arrays.equals(ask, ASK);
  }
}
