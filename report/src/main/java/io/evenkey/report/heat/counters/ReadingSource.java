/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.counters;

import java.io.IOException;

/** The source of readings: a cluster, or a substitute. */
@FunctionalInterface
public interface ReadingSource {
  /**
   * Reads all counters now.
   *
   * @throws IOException if the counters cannot be read
   */
  Reading read() throws IOException;
}
