/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import io.evenkey.layout.failure.EvenkeyException;
import org.jspecify.annotations.Nullable;

/**
 * A cluster that cannot be started, or a process of it that cannot be worked on. The message is one
 * line: what, where, what to do.
 */
public final class ClusterException extends EvenkeyException {
  private static final long serialVersionUID = 1L;

  ClusterException(String message) {
    this(message, null);
  }

  ClusterException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
