/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.json;

import io.evenkey.app.heat.history.Finding;
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
