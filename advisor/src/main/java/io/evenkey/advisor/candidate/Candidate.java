/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.candidate;

import io.evenkey.layout.Layout;
import java.util.List;

/**
 * A layout that could do. Immutable.
 *
 * @param layout the layout
 * @param notes the additions by which its keys are unique
 */
public record Candidate(Layout layout, List<String> notes) {
  /** Copies the list. */
  public Candidate {
    notes = List.copyOf(notes);
  }
}
