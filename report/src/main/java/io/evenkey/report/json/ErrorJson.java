/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.evenkey.layout.text.SyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * An error as JSON.
 *
 * @param error the error, its place and the remedy
 * @param problem what is wrong with a layout line; left out, as all that follows, for other errors
 * @param at the place in the line, from 0
 * @param length the length of the place
 */
public record ErrorJson(
    String error,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String problem,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer at,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer length) {
  /** An error that is of no line. */
  public static ErrorJson of(String error) {
    return new ErrorJson(error, null, null, null);
  }

  /** An error in a line. */
  public static ErrorJson of(SyntaxException e) {
    return new ErrorJson(
        String.valueOf(e.getMessage()), e.problem(), e.span().start(), e.span().length());
  }
}
