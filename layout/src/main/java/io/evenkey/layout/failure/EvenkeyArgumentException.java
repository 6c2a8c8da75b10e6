/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.failure;

import org.jspecify.annotations.Nullable;

/**
 * An argument that a call cannot have, such as a row without all fields of its key. The call has
 * done nothing. The message is a complete line: what was wrong, the value, and what to pass
 * instead. It is thrown where HBase's client throws {@link IllegalArgumentException}.
 */
public class EvenkeyArgumentException extends IllegalArgumentException implements EvenkeyFailure {
  private static final long serialVersionUID = 1L;

  private final FailureCode code;

  /** An argument that breaks a rule. */
  public EvenkeyArgumentException(String message) {
    this(FailureCode.ARGUMENT, message, null);
  }

  /** An argument that something else has rejected. */
  public EvenkeyArgumentException(String message, @Nullable Throwable cause) {
    this(FailureCode.ARGUMENT, message, cause);
  }

  /** A mistake of a kind of its own. */
  protected EvenkeyArgumentException(FailureCode code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  @Override
  public final FailureCode failureCode() {
    return code;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
