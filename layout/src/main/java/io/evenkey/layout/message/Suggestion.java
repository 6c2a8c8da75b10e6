/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.message;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Finds the known word that a mistyped one most likely means, for error messages. Stateless and
 * thread-safe.
 */
public final class Suggestion {
  private static final int MOST_LISTED = 30;
  private static final int LONGEST = 60;

  private Suggestion() {}

  /** Returns the known words for the end of a message: the first ones, if there are many. */
  public static String listed(Collection<String> known) {
    int more = known.size() - MOST_LISTED;
    return known.stream()
            .limit(MOST_LISTED)
            .map(word -> word.length() <= LONGEST ? word : word.substring(0, LONGEST) + "…")
            .collect(Collectors.joining(", "))
        + (more > 0 ? " and " + more + " more" : "");
  }

  /** Returns the closest of the known words; empty if none is similar enough. */
  public static Optional<String> closest(String typed, Collection<String> known) {
    if (typed.isEmpty()) {
      return Optional.empty();
    }
    String word = typed.toLowerCase(Locale.ROOT);
    int tolerance = Math.max(1, word.length() / 3);
    return known.stream()
        .filter(k -> Math.abs(k.length() - word.length()) <= tolerance || k.startsWith(word))
        .min(
            Comparator.comparingInt((String k) -> distance(word, k))
                .thenComparing(k -> k.charAt(0) != typed.charAt(0))
                .thenComparing(k -> k))
        .filter(k -> distance(word, k) <= tolerance || word.length() > 1 && k.startsWith(word));
  }

  /**
   * Returns {@code "; did you mean 'x'?"} for the end of a message; empty if no known word is
   * similar enough.
   */
  public static String hint(String typed, Collection<String> known) {
    return closest(typed, known).map(k -> "; did you mean '" + k + "'?").orElse("");
  }

  // Optimal string alignment: edits and swaps of neighbours, the slips of a typing hand.
  private static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        char x = a.charAt(i - 1);
        char y = Character.toLowerCase(b.charAt(j - 1));
        int best = Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1);
        best = Math.min(best, d[i - 1][j - 1] + (x == y ? 0 : 1));
        if (i > 1 && j > 1 && x == Character.toLowerCase(b.charAt(j - 2)) && a.charAt(i - 2) == y) {
          best = Math.min(best, d[i - 2][j - 2] + 1);
        }
        d[i][j] = best;
      }
    }
    return d[a.length()][b.length()];
  }
}
