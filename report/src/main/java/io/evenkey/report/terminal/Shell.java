/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.terminal;

import java.util.regex.Pattern;

/** Words as a shell reads them. Stateless. */
public final class Shell {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@%+,-]+");

  private Shell() {}

  /** The text as one word. */
  public static String quoted(String text) {
    return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
