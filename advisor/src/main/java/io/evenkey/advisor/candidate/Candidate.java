package io.evenkey.advisor.candidate;

import io.evenkey.layout.Layout;
import java.util.List;

/**
 * A layout that could do. Immutable.
 *
 * @param layout the layout
 * @param notes what was done to make it one that loses nothing
 */
public record Candidate(Layout layout, List<String> notes) {
  /** Copies the list. */
  public Candidate {
    notes = List.copyOf(notes);
  }
}
