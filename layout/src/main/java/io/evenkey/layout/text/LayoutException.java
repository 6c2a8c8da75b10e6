/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.text;

import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.failure.FailureCode;

/**
 * What this module throws for wrong input: a mistake in a line, a value that a key cannot hold,
 * bytes that are not a key of the layout. The message says rule, place, value and remedy, so an
 * application can show it to its user as it is.
 *
 * <pre>{@code
 * try {
 *   Layout.parse(line);
 * } catch (LayoutException e) {
 *   System.err.println(e.getMessage());
 * }
 * }</pre>
 */
public abstract class LayoutException extends EvenkeyArgumentException {
  private static final long serialVersionUID = 1L;

  protected LayoutException(String message) {
    super(FailureCode.LAYOUT, message, null);
  }
}
