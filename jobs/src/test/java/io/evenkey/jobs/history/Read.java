/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.history;

import java.util.List;

/**
 * A read of a whole index or table, from its begin to its end, with the rows in the order returned.
 */
public record Read(long begin, long end, List<Found> found) {
  public Read {
    found = List.copyOf(found);
  }
}
