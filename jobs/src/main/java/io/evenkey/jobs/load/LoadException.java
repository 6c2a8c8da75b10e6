/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.load;

import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.failure.FailureCode;
import org.jspecify.annotations.Nullable;

/** A load that stopped. What is written stays; the message says how to go on. */
public final class LoadException extends EvenkeyException {
  private static final long serialVersionUID = 1L;

  /** A load that stopped for a reason of its own. */
  public LoadException(String message) {
    this(message, null);
  }

  /** A load that stopped because something else failed, which the message does not tell. */
  public LoadException(String message, @Nullable Throwable cause) {
    super(FailureCode.LOAD, null, message, cause);
  }
}
