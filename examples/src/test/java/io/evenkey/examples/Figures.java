/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.examples;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The figures of a text.
 *
 * <p>A figure is a number in the digits 0 to 9, with its minus sign, its decimal places, its
 * exponent in superscript and its per cent sign. The digits count as they are written: {@code 1.50}
 * is not {@code 1.5}, and a date is three figures. Only commas between thousands do not count, and
 * English {@code 5.8 million} is 5800000.
 *
 * <p>A number that English writes as a word, such as {@code three}, may be digits in Chinese, and
 * need not be. Chinese does not write a figure with 百, 千, 万 or 亿, which cannot be compared digit by
 * digit: {@link #hidden} finds those.
 *
 * @param digits the numbers in digits, in the order of the text
 * @param words the numbers from two on in English words, as digits
 */
record Figures(List<String> digits, List<String> words) {
  private static final Pattern DIGITS =
      Pattern.compile(
          "(−?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\\.[0-9]+)*[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]*)"
              + "(?:\\s*(%)|\\s+(thousand|million|billion)\\b)?");
  private static final Map<String, Integer> ZEROS =
      Map.of("thousand", 3, "million", 6, "billion", 9);
  private static final List<String> WORDS =
      List.of(
          "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
          "twelve");
  private static final Pattern WORD =
      Pattern.compile("\\b(" + String.join("|", WORDS) + ")\\b", Pattern.CASE_INSENSITIVE);
  private static final Pattern HIDDEN =
      Pattern.compile("(?:[0-9][0-9,.]*|[一二两三四五六七八九十]+)\\s*[百千万亿]+");

  static Figures of(String text) {
    List<String> digits = new ArrayList<>();
    Matcher number = DIGITS.matcher(text);
    while (number.find()) {
      digits.add(figure(number.group(1).replace(",", ""), number.group(2), number.group(3)));
    }
    List<String> words =
        WORD.matcher(text)
            .results()
            .map(word -> WORDS.indexOf(word.group().toLowerCase(Locale.ROOT)) + 2)
            .map(String::valueOf)
            .toList();
    return new Figures(List.copyOf(digits), words);
  }

  private static String figure(String number, String percent, String thousands) {
    if (thousands != null) {
      return new BigDecimal(number).scaleByPowerOfTen(ZEROS.get(thousands)).toPlainString();
    }
    return percent == null ? number : number + "%";
  }

  /** The numbers of a Chinese text that are not in digits alone, such as 15 万. */
  static List<String> hidden(String chinese) {
    return HIDDEN.matcher(chinese).results().map(MatchResult::group).toList();
  }
}
