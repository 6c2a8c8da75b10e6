package io.evenkey.jobs.move;

import java.io.IOException;

/** A move that cannot be begun, or cannot go on as things are. */
public final class MoveException extends IOException {
  private static final long serialVersionUID = 1L;

  MoveException(String message) {
    super(message);
  }
}
