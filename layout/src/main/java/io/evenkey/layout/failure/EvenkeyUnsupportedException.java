/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.failure;

/**
 * A call that a spread table cannot answer, such as a coprocessor call on a range of keys. The
 * message is a complete line: which call, why, and what to call instead. It is thrown where HBase's
 * interface throws nothing checked.
 */
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
