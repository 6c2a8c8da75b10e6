/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.failure;

/** A call that a spread table cannot answer, with a message that is a complete line. */
public final class EvenkeyUnsupportedException extends UnsupportedOperationException
    implements EvenkeyFailure {
  private static final long serialVersionUID = 1L;

  /** A call that a rule forbids. */
  public EvenkeyUnsupportedException(String message) {
    super(message);
  }

  @Override
  public FailureCode failureCode() {
    return FailureCode.UNSUPPORTED;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
