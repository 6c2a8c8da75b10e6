/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app;

import io.evenkey.cli.Evenkey;
import io.evenkey.portal.Portal;

/**
 * The entry point of {@code evenkey}: the command line, and the portal that some commands start.
 */
public final class Main {
  private Main() {}

  /** Runs a command and leaves with its exit code. */
  public static void main(String[] arguments) {
    Evenkey.main(Portal::start, arguments);
  }
}
