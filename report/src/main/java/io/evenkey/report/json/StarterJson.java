/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code init} has made, as JSON. Immutable.
 *
 * @param regions null where the plan leaves them to the rule
 * @param example the text of each field of a record
 */
public record StarterJson(
    String table,
    String layout,
    @Nullable Integer regions,
    Map<String, String> example,
    List<String> files,
    List<String> warnings,
    List<String> notes) {
  /** Copies the lists. */
  public StarterJson {
    files = List.copyOf(files);
    warnings = List.copyOf(warnings);
    notes = List.copyOf(notes);
  }
}
