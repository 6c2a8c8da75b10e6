/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.load;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A load that stopped. What is written stays; the message says how to go on. */
public final class LoadException extends IOException {
  private static final long serialVersionUID = 1L;

  /** A load that stopped for a reason of its own. */
  public LoadException(String message) {
    this(message, null);
  }

  /** A load that stopped because something else failed, which the message does not tell. */
  public LoadException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
