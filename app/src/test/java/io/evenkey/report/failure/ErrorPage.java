/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.failure;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page of failures around HBase, made of the kinds that commands and the portal know. */
public final class ErrorPage {
  private static final String HEAD =
      """
      # Errors

      This page lists the errors of commands and of the portal that come from HBase and around it, by their first words.
      It is made from the code; a test fails when it is stale. [Troubleshooting](troubleshooting.md) begins with symptoms.

      An error is one line, `rule: name=value; remedy`. For a failure that is not in this table, the line has the exception's
      words and the message of its root cause.

      | first words | names | what to do | from |
      | --- | --- | --- | --- |
      """;

  private ErrorPage() {}

  /** The text of the page. */
  public static String text() {
    return HEAD
        + Stream.of(FailureKind.values())
            .filter(kind -> !kind.rule().isEmpty())
            .sorted(Comparator.comparing(kind -> kind.rule().toLowerCase(Locale.ROOT)))
            .map(ErrorPage::row)
            .collect(Collectors.joining());
  }

  private static String row(FailureKind kind) {
    return "| `%s` | %s | %s | %s |\n"
        .formatted(kind.rule(), code(names(kind)), escaped(kind.remedy()), code(exceptions(kind)));
  }

  private static List<String> names(FailureKind kind) {
    return kind.fields().stream()
        .filter(field -> field != FailureField.FREE_TEXT)
        .map(field -> field == FailureField.NAMED_TABLE ? FailureField.TABLE : field)
        .map(field -> field.name().toLowerCase(Locale.ROOT))
        .toList();
  }

  private static List<String> exceptions(FailureKind kind) {
    return kind.classes().stream()
        .map(name -> name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1))
        .distinct()
        .sorted()
        .toList();
  }

  private static String code(List<String> names) {
    return names.stream().map(name -> "`" + name + "`").collect(Collectors.joining(", "));
  }

  // What stands in braces is the name in the line.
  private static String escaped(String remedy) {
    return remedy
        .replaceAll("\\{(\\w+)}", "$1")
        .replace("|", "\\|")
        .replace("<", "&lt;")
        .replace("_", "\\_")
        .replace("*", "\\*");
  }
}
