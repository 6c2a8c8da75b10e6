/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.text;

import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.failure.FailureCode;

/**
 * The refusal of this module: a mistake in a line, a value that a key cannot hold, or bytes that
 * are not a key of the layout. The message is complete: rule, place, offending value and remedy; it
 * is meant to be shown as it is.
 */
public abstract class LayoutException extends EvenkeyArgumentException {
  private static final long serialVersionUID = 1L;

  protected LayoutException(String message) {
    super(FailureCode.LAYOUT, message, null);
  }
}
