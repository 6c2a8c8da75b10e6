/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.compare;

import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.failure.FailureCode;

/** Two tables that cannot be compared, or a comparison that cannot be gone on with. */
public final class ComparisonException extends EvenkeyException {
  private static final long serialVersionUID = 1L;

  ComparisonException(String message) {
    super(FailureCode.COMPARISON, null, message, null);
  }
}
