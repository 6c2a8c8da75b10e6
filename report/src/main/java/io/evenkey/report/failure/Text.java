/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.failure;

import java.util.Locale;
import java.util.regex.Pattern;

/** Turns messages of exceptions into one line without class names. Stateless. */
final class Text {
  /** HBase's messages can list a table's whole descriptor. */
  private static final int MOST = 300;

  private static final Pattern EXCEPTION =
      Pattern.compile("(?:[\\w$]+[.$])*([A-Z]\\w*?)(?:Exception|Error)\\b");
  private static final Pattern LIBRARY =
      Pattern.compile("\\b(?:org|com|net|java|javax|jdk|sun)(?:[./][\\w]+)+[./$](\\w+)");
  private static final Pattern FRAME = Pattern.compile("\\s+at [\\w.$/]+\\(.*");

  private Text() {}

  static String firstLine(String message) {
    return message
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .findFirst()
        .orElse("");
  }

  /** The first line, with the names of exceptions as words, cut to a readable length. */
  static String shortened(String message) {
    String line = plain(message);
    return line.length() <= MOST ? line : line.substring(0, MOST - 1) + "…";
  }

  /** The first line, with the names of exceptions as words. */
  static String plain(String message) {
    String line = FRAME.matcher(firstLine(message)).replaceFirst("");
    line = EXCEPTION.matcher(line).replaceAll(found -> words(found.group(1)));
    return LIBRARY.matcher(line).replaceAll("$1").strip();
  }

  /** The name of an exception's class as words: {@code RegionTooBusyException}, region too busy. */
  static String words(String className) {
    String simple =
        className.substring(Math.max(className.lastIndexOf('.'), className.lastIndexOf('$')) + 1);
    String bare = simple.replaceFirst("(?:Exception|Error)$", "");
    String spaced =
        bare.replaceAll("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ")
            .replaceAll("\\bHBase\\b", "")
            .strip();
    StringBuilder words = new StringBuilder();
    for (String word : spaced.split(" ", -1)) {
      boolean acronym = word.length() > 1 && word.equals(word.toUpperCase(Locale.ROOT));
      words.append(words.isEmpty() ? "" : " ");
      words.append(acronym ? word : word.toLowerCase(Locale.ROOT));
    }
    return words.isEmpty() ? "failure" : words.toString();
  }
}
