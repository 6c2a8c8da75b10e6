/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.failure.FailureCode;
import org.jspecify.annotations.Nullable;

/**
 * An embedded HBase that could not start. The message is one line: what was wrong, where, and what
 * to do. Nothing is left running.
 */
public final class EmbeddedHBaseException extends EvenkeyException {
  private static final long serialVersionUID = 1L;

  EmbeddedHBaseException(String message) {
    this(message, null);
  }

  EmbeddedHBaseException(String message, @Nullable Throwable cause) {
    super(FailureCode.EMBEDDED, null, message, cause);
  }
}
