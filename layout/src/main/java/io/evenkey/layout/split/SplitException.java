/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.split;

import io.evenkey.layout.text.LayoutException;

/**
 * A number of regions into which a table cannot be split as requested. The message names the
 * number, what limits it, and what to do.
 */
public final class SplitException extends LayoutException {
  private static final long serialVersionUID = 1L;

  SplitException(String message) {
    super(message);
  }
}
