/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.compare;

import java.io.IOException;

/** Two tables that cannot be compared, or a comparison that cannot be gone on with. */
public final class ComparisonException extends IOException {
  private static final long serialVersionUID = 1L;

  ComparisonException(String message) {
    super(message);
  }
}
