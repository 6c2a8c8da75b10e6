/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.sample;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Dates and times as people write them, whose text does not sort by time: the day or the month
 * first, the names of months, numbers without leading zeros, or the half of the day. Stateless.
 */
final class UnsortedTime {
  private static final Pattern DAY_OR_MONTH_FIRST =
      Pattern.compile(
          "([0-9]{1,2})([/.-])([0-9]{1,2})\\2([12][0-9]{3})(?:[ ,T]+(.*))?"
              + "|([0-9]{1,2})/([0-9]{1,2})/([0-9]{2})(?: +(.*))?");

  private static final Pattern MONTH_NAMED =
      Pattern.compile(
          "(?i)(?:[a-z]{3,9},? +)?(?:[0-9]{1,2}[ /.-]+)?"
              + "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
              + "|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[ /.,-]+[0-9].{0,30}");

  private static final Pattern YEAR_FIRST =
      Pattern.compile(
          "[12][0-9]{3}([/.-])([0-9]{1,2})\\1([0-9]{1,2})(?:[ T]+[0-9]{1,2}:[0-9]{2}.*)?");

  private static final Pattern PADDED =
      Pattern.compile("[12][0-9]{3}[/.-][0-9]{2}[/.-][0-9]{2}(?:[ T]+[0-9]{2}:[0-9]{2}.*)?");

  private static final Pattern HALF_OF_THE_DAY = Pattern.compile("(?i).*[0-9] ?[ap]\\.?m\\.?");
  private static final Pattern CLOCK = Pattern.compile("[0-9]{2}:[0-9]{2}(?::[0-9]{2})?");

  private UnsortedTime() {}

  /** Whether all values that are not empty are such times. */
  static boolean is(List<String> values) {
    List<String> given = values.stream().filter(value -> !value.isEmpty()).toList();
    return !given.isEmpty()
        && (given.stream().allMatch(UnsortedTime::isDayOrMonthFirst)
            || given.stream().allMatch(value -> MONTH_NAMED.matcher(value).matches())
            || given.stream().allMatch(value -> YEAR_FIRST.matcher(value).matches())
                && given.stream().anyMatch(UnsortedTime::isUneven));
  }

  private static boolean isUneven(String value) {
    return !PADDED.matcher(value).matches() || HALF_OF_THE_DAY.matcher(value).matches();
  }

  private static boolean isDayOrMonthFirst(String value) {
    Matcher date = DAY_OR_MONTH_FIRST.matcher(value);
    if (!date.matches()) {
      return false;
    }
    int first = first(date);
    int second = second(date);
    return first >= 1
        && second >= 1
        && Math.max(first, second) <= 31
        && Math.min(first, second) <= 12;
  }

  private static int first(Matcher date) {
    return Integer.parseInt(date.group(date.group(1) == null ? 6 : 1));
  }

  private static int second(Matcher date) {
    return Integer.parseInt(date.group(date.group(1) == null ? 7 : 3));
  }

  /** A warning of a column of such times, with the form that sorts. */
  static String warning(Column column, String consequence) {
    List<String> values = column.values().stream().filter(value -> !value.isEmpty()).toList();
    return "times whose text does not sort by time, "
        + consequence
        + ": column="
        + column.name()
        + " value=\""
        + values.get(0)
        + "\"; "
        + remedy(values);
  }

  private static String remedy(List<String> values) {
    List<Matcher> dates = values.stream().map(DAY_OR_MONTH_FIRST::matcher).toList();
    if (!dates.stream().allMatch(Matcher::matches)) {
      return "write them as 2026-01-31T08:30:00Z, or in milliseconds since 1970";
    }
    boolean dayFirst = dates.stream().anyMatch(date -> first(date) > 12);
    boolean monthFirst = dates.stream().anyMatch(date -> second(date) > 12);
    return dayFirst == monthFirst
        ? "whether the day or the month is first, the values do not say; write them as"
            + " 2026-01-31T08:30:00Z, or in milliseconds since 1970"
        : (dayFirst ? "the day" : "the month")
            + " is first; write them in ISO 8601, this one as "
            + iso(dates.get(0), dayFirst);
  }

  private static String iso(Matcher date, boolean dayFirst) {
    boolean wholeYear = date.group(1) != null;
    String clock = date.group(wholeYear ? 5 : 9);
    return String.format(
        Locale.ROOT,
        "%s-%02d-%02d%s",
        wholeYear ? date.group(4) : "20" + date.group(8),
        dayFirst ? second(date) : first(date),
        dayFirst ? first(date) : second(date),
        clock != null && CLOCK.matcher(clock).matches() ? "T" + clock : "");
  }
}
