package io.evenkey.app;

import io.evenkey.app.cli.Evenkey;
import io.evenkey.app.portal.Portal;

/**
 * Where {@code evenkey} begins: the command line, and the portal that some of its commands start.
 */
public final class Main {
  private Main() {}

  /** Runs a command and leaves with its exit code. */
  public static void main(String[] arguments) {
    Evenkey.main(Portal::start, arguments);
  }
}
