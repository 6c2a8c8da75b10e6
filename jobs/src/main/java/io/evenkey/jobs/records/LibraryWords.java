/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The part of a library's message that helps the person who has the file. Stateless. */
final class LibraryWords {
  /** Names of the library's own code. */
  private static final Pattern CODE =
      Pattern.compile("@[0-9a-f]+\\b|\\b(?:org|java|io)\\.[a-z]|Struct:|Socket|Cannot invoke");

  /** Matches remarks on the library's own switches, and on places in text that it does not show. */
  private static final Pattern SWITCH =
      Pattern.compile("(?: \\(start marker| \\([^(]*`|, from `|: enable `|: has to be escaped).*");

  private LibraryWords() {}

  /** The problem, with the reason behind it where that can be read. */
  static String after(String problem, @Nullable String message) {
    String reason =
        message == null || message.isBlank()
            ? ""
            : SWITCH.matcher(message.lines().findFirst().orElse("")).replaceFirst("");
    return reason.isBlank() || CODE.matcher(reason).find() ? problem : problem + ": " + reason;
  }
}
