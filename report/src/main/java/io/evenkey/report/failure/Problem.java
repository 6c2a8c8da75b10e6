/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.failure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A failure as users read it: {@code rule: name=value; remedy}, on one line without the name of an
 * exception.
 *
 * @param kind the kind of failure
 * @param line the failure, its place and the remedy; never empty
 */
public record Problem(FailureKind kind, String line) {
  private static final Pattern PLACE = Pattern.compile("\\{(\\w+)}");

  /**
   * Describes an exception.
   *
   * @param details the source of details for an unknown failure; appended to its line
   */
  public static Problem of(Throwable failure, String details) {
    return of(failure, details, Map.of());
  }

  /**
   * Describes an exception.
   *
   * @param details the source of details for an unknown failure; appended to its line
   * @param known names that the caller knows, such as {@code table}, for failures whose exceptions
   *     lack them
   */
  public static Problem of(Throwable failure, String details, Map<String, String> known) {
    return new Reading(details, known).of(Cause.of(failure));
  }

  /** The line. */
  @Override
  public String toString() {
    return line;
  }

  private record Reading(String details, Map<String, String> given) {
    private Problem of(List<Cause> causes) {
      Cause vague = null;
      for (int i = 0; i < causes.size(); i++) {
        Cause cause = causes.get(i);
        if (cause.own()) {
          return own(cause, causes.subList(i + 1, causes.size()));
        }
        FailureKind kind = FailureKind.of(cause);
        if (kind != FailureKind.OTHER && !kind.isVague()) {
          return known(kind, cause, causes);
        }
        if (kind != FailureKind.OTHER && vague == null) {
          vague = cause;
        }
      }
      return vague == null ? unknown(causes) : known(FailureKind.of(vague), vague, causes);
    }

    // Evenkey's messages are complete lines; a message with a reason includes its cause.
    private Problem own(Cause cause, List<Cause> behind) {
      String line = Text.plain(cause.message());
      if (behind.isEmpty() || line.contains("reason=")) {
        return new Problem(FailureKind.EVENKEY, line);
      }
      Problem root = of(behind);
      return new Problem(
          root.kind == FailureKind.OTHER ? FailureKind.EVENKEY : root.kind,
          line.contains(root.line) ? line : line + "; cause: " + root.line);
    }

    private Problem known(FailureKind kind, Cause cause, List<Cause> causes) {
      Map<String, String> values = new LinkedHashMap<>();
      for (FailureField field : kind.fields()) {
        field.in(cause.message()).ifPresent(value -> values.put(field.label(), value));
        if (field != FailureField.FREE_TEXT) {
          for (Cause other : causes) {
            field.in(other.message()).ifPresent(value -> values.putIfAbsent(field.label(), value));
          }
        }
        String value = given.get(field.label());
        if (value != null) {
          values.putIfAbsent(field.label(), value);
        }
      }
      StringBuilder line = new StringBuilder(kind.rule());
      String before = ": ";
      for (Map.Entry<String, String> value : values.entrySet()) {
        line.append(before).append(value.getKey()).append('=').append(value.getValue());
        before = " ";
      }
      return new Problem(kind, line.append("; ").append(remedy(kind, values)).toString());
    }

    private static String remedy(FailureKind kind, Map<String, String> values) {
      return PLACE
          .matcher(kind.remedy())
          .replaceAll(
              place -> {
                String name = place.group(1);
                String value =
                    name.equals("right")
                        ? right(values.getOrDefault("action", ""))
                        : values.getOrDefault(name, name.toUpperCase(Locale.ROOT));
                return Matcher.quoteReplacement(value);
              });
    }

    // The abbreviations of HBase's shell.
    private static String right(String action) {
      return action.isEmpty() ? "RWXCA" : action.substring(0, 1);
    }

    // The root cause is the most specific exception.
    private Problem unknown(List<Cause> causes) {
      for (int i = causes.size() - 1; i >= 0; i--) {
        Cause cause = causes.get(i);
        String text = Text.shortened(cause.message());
        boolean sentence = text.contains(" ");
        if (!text.isEmpty() && (sentence || cause.isSpecific())) {
          String rule = cause.isSpecific() ? cause.words() + ": " : "";
          return new Problem(
              FailureKind.OTHER, rule + (sentence ? text : "reason=" + text) + "; " + details);
        }
      }
      Cause root = causes.get(causes.size() - 1);
      String text = Text.shortened(root.message());
      return new Problem(
          FailureKind.OTHER,
          "unexpected failure: kind="
              + root.words().replace(' ', '_')
              + (text.isEmpty() ? "" : " reason=" + text)
              + "; "
              + details);
    }
  }
}
