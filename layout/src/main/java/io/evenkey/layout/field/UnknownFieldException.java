/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.message.Suggestion;
import io.evenkey.layout.text.LayoutException;
import java.util.Collection;
import java.util.stream.Collectors;

/**
 * A name that none of the fields has, in a condition, a key or a command. The message lists the
 * fields. Show it to the user who wrote the name.
 */
public final class UnknownFieldException extends LayoutException {
  private static final long serialVersionUID = 1L;

  private final String field;

  /**
   * The name, and the names that would have been right.
   *
   * @param field the name that no field has
   * @param fields the names of all fields
   */
  public UnknownFieldException(String field, Collection<String> fields) {
    super(
        "unknown field: field="
            + Quoted.name(field)
            + " fields="
            + fields.stream().map(Quoted::name).collect(Collectors.joining(","))
            + Suggestion.closest(field, fields)
                .map(known -> "; did you mean " + Quoted.name(known) + "?")
                .orElse("; use one of these fields"));
    this.field = field;
  }

  /** The name that no field has. */
  public String field() {
    return field;
  }
}
