/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import io.evenkey.report.heat.history.Finding;
import java.util.List;

/**
 * Findings about the load of tables as JSON. Immutable.
 *
 * @param problem why the last reading failed; empty if it did not
 */
public record HeatFindingsJson(List<Finding> findings, String problem) {
  /** Copies the list. */
  public HeatFindingsJson {
    findings = List.copyOf(findings);
  }
}
