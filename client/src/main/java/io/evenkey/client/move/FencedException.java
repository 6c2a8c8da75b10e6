package io.evenkey.client.move;

import java.io.IOException;

/** A read or write that was not done, since nobody could know whether it would count. */
public final class FencedException extends IOException {
  private static final long serialVersionUID = 1L;

  FencedException(String message) {
    super(message);
  }
}
