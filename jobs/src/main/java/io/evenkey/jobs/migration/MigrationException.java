/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import java.io.IOException;

/** A migration that cannot be begun, or cannot go on as things are. */
public final class MigrationException extends IOException {
  private static final long serialVersionUID = 1L;

  public MigrationException(String message) {
    super(message);
  }

  public MigrationException(String message, Throwable cause) {
    super(message, cause);
  }
}
