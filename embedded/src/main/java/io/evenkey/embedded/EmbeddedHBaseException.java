/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An embedded HBase that cannot start. The message is one line: what, where, what to do. */
public final class EmbeddedHBaseException extends IOException {
  private static final long serialVersionUID = 1L;

  EmbeddedHBaseException(String message) {
    super(message);
  }

  EmbeddedHBaseException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
