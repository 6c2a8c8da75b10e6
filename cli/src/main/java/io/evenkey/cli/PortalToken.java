/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * The token that a client must present to change anything through a portal.
 *
 * @param value the token
 * @param isNew whether it was generated for this run, and has to be shown
 */
record PortalToken(String value, boolean isNew) {
  private static final int LEAST = 16;
  private static final String ENVIRONMENT = "EVENKEY_TOKEN";

  /** Generates a token. */
  static PortalToken random() {
    byte[] bytes = new byte[24];
    new SecureRandom().nextBytes(bytes);
    return new PortalToken(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes), true);
  }

  /**
   * The token of a file, or of the environment, or a new one.
   *
   * @throws ParameterException if the token is too short
   */
  static PortalToken of(CommandSpec command, @Nullable Path file) throws IOException {
    String given = System.getenv(ENVIRONMENT);
    String from = "$" + ENVIRONMENT;
    if (file != null) {
      if (!Files.isReadable(file)) {
        throw new ParameterException(
            command.commandLine(),
            "no such file, or not readable: --token-file=" + file + "; name one with a token");
      }
      given = Files.readString(file).lines().findFirst().orElse("").strip();
      from = "--token-file=" + file;
    }
    if (given == null || given.isEmpty() && file == null) {
      return random();
    }
    if (given.length() < LEAST) {
      throw new ParameterException(
          command.commandLine(),
          "token too short: "
              + from
              + " characters="
              + given.length()
              + "; use "
              + LEAST
              + " or more");
    }
    return new PortalToken(given, false);
  }

  /** The address to open: with the token if the token was generated for this run. */
  String address(String url) {
    return isNew ? url + "#token=" + value : url;
  }
}
