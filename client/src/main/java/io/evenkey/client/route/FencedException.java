package io.evenkey.client.route;

import java.io.IOException;

/**
 * An operation that was not made, because a migration did not allow it for longer than {@link
 * Repeats#SETTING}. It can be made again.
 */
public final class FencedException extends IOException {
  private static final long serialVersionUID = 1L;

  FencedException(String message, Throwable cause) {
    super(message, cause);
  }
}
