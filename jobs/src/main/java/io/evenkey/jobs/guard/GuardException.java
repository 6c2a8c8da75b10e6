/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.guard;

import java.io.IOException;

/**
 * The guard is missing on a region server or the master, is of an earlier version, or does not act
 * by a state that was set.
 */
public final class GuardException extends IOException {
  private static final long serialVersionUID = 1L;

  GuardException(String message) {
    super(message);
  }
}
