/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.failure;

import org.jspecify.annotations.Nullable;

/** A call that a spread table cannot answer, with a message that is a complete line. */
public final class EvenkeyUnsupportedException extends UnsupportedOperationException
    implements EvenkeyFailure {
  private static final long serialVersionUID = 1L;

  /** A call that a rule forbids. */
  public EvenkeyUnsupportedException(String message) {
    super(message);
  }

  @Override
  public String code() {
    return FailureCode.UNSUPPORTED.word();
  }

  @Override
  public @Nullable String table() {
    return null;
  }

  @Override
  public boolean isRetriable() {
    return FailureCode.UNSUPPORTED.isRetriable();
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
