/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;

/**
 * What a portal shows, as JSON.
 *
 * @param cluster the quorum and node of its ZooKeeper
 * @param everyMs the time between two readings of HBase's counters
 * @param stored whether HBase has the history
 * @param oldest the oldest reading, in milliseconds since 1970
 * @param spans the number of spans of keys in the history
 * @param problem why the last reading failed; empty if it did not
 */
@JsonNaming(SnakeCaseStrategy.class)
public record PortalJson(
    String cluster,
    boolean readOnly,
    long everyMs,
    boolean stored,
    long oldest,
    long spans,
    String problem) {
  /** Whether a portal is up, or starting. */
  public record PortalHealth(String status) {}
}
