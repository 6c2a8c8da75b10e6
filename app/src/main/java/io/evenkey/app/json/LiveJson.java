/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.json;

import java.util.List;

/**
 * What changes while a page is open, as JSON. Immutable.
 *
 * @param at when HBase's counters were last read, in milliseconds since 1970; 0 before that
 * @param problem why they cannot be read; empty if they can
 * @param jobs the newest first
 */
public record LiveJson(long at, String problem, List<JobJson> jobs) {
  /** Copies the list. */
  public LiveJson {
    jobs = List.copyOf(jobs);
  }
}
