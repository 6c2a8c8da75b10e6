/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.failure;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Work that failed, such as a request, a migration or an import. The message is a complete line:
 * what failed, where, and what to do. {@link #isRetriable} says whether the same call may succeed
 * later. It is thrown where HBase's client throws {@link IOException}.
 */
public class EvenkeyException extends IOException implements EvenkeyFailure {
  private static final long serialVersionUID = 1L;

  private final FailureCode code;
  private final @Nullable String table;

  /** Work that failed for a reason of its own. */
  public EvenkeyException(String message) {
    this(FailureCode.WORK, null, message, null);
  }

  /** Work that failed because something else did. */
  public EvenkeyException(String message, @Nullable Throwable cause) {
    this(FailureCode.WORK, null, message, cause);
  }

  /** A failure of a kind of its own. */
  protected EvenkeyException(
      FailureCode code, @Nullable String table, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
    this.table = table;
  }

  @Override
  public final FailureCode failureCode() {
    return code;
  }

  @Override
  public final @Nullable String table() {
    return table;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
