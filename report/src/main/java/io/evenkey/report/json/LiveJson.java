/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;

/**
 * What changes while a page is open, as JSON. Immutable.
 *
 * @param at when HBase's counters were last read, in milliseconds since 1970; 0 before that
 * @param problem why they cannot be read; empty if they can
 * @param historyProblem why the stored heat is not complete, as a sentence; empty if it is
 * @param jobs the newest first
 */
@JsonNaming(SnakeCaseStrategy.class)
public record LiveJson(long at, String problem, String historyProblem, List<JobJson> jobs) {
  /** Copies the list. */
  public LiveJson {
    jobs = List.copyOf(jobs);
  }
}
