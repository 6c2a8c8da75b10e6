/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.evaluate;

import io.evenkey.advisor.query.QueryCondition;
import io.evenkey.advisor.sample.Column;
import io.evenkey.layout.message.Quoted;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A condition of a query with values of the sample instead of each {@code ?}. Immutable.
 *
 * @param text the condition in the language of layouts' conditions; empty if that language cannot
 *     state it
 * @param records the records of the sample that fulfil it, by their index
 */
record BoundCondition(String text, IntPredicate records) {
  /** The share of the records between a bound that is sampled and one that is computed. */
  private static final double RANGE = 0.01;

  /**
   * Binds a condition.
   *
   * @param record the record whose value replaces the first {@code ?}; further ones get the values
   *     of random records
   */
  static BoundCondition of(
      QueryCondition condition, RankedColumn ranks, int record, SplittableRandom random) {
    Column column = ranks.column();
    List<String> values = values(condition, column, record, random);
    String value = values.get(0);
    boolean isSampled = condition.values().get(0) == null;
    return switch (condition.operator()) {
      case EQUAL, IN -> oneOf(ranks, values);
      case STARTS_WITH -> startsWith(column, isSampled ? firstHalf(value) : value);
      case UNDER -> under(column, isSampled ? registeredDomain(value) : value);
      case BETWEEN -> between(ranks, value, condition.values().get(1));
      // An excluded bound counts as included: the range differs by the records of one value.
      case AT_LEAST, MORE -> from(ranks, value);
      case AT_MOST, LESS -> upTo(ranks, value);
    };
  }

  private static List<String> values(
      QueryCondition condition, Column column, int record, SplittableRandom random) {
    List<String> values = new ArrayList<>();
    for (String given : condition.values()) {
      if (given != null) {
        values.add(given);
      } else {
        int sampled = values.isEmpty() ? record : random.nextInt(column.codes().length);
        values.add(column.text(sampled));
      }
    }
    return values;
  }

  private static BoundCondition oneOf(RankedColumn ranks, List<String> values) {
    Column column = ranks.column();
    boolean[] allowed = new boolean[column.values().size()];
    for (String value : values) {
      int code = ranks.code(value);
      if (code >= 0) {
        allowed[code] = true;
      }
    }
    String list = String.join(", ", values.stream().map(Quoted::literal).toList());
    return new BoundCondition(field(column) + " in (" + list + ")", byValue(column, allowed));
  }

  private static BoundCondition startsWith(Column column, String start) {
    // A key has the labels of a domain in reverse order: it does not begin as the text does.
    String text = column.isDomain() ? "" : startsWithText(column, start);
    return new BoundCondition(text, byValue(column, value -> value.startsWith(start)));
  }

  private static BoundCondition under(Column column, String domain) {
    String text = column.isDomain() ? startsWithText(column, reversedLabels(domain)) : "";
    return new BoundCondition(
        text, byValue(column, host -> host.equals(domain) || host.endsWith("." + domain)));
  }

  private static BoundCondition between(RankedColumn ranks, String from, @Nullable String to) {
    int first = ranks.rank(from);
    int last = to == null ? ranks.rankAfter(first, RANGE) : ranks.rank(to);
    String text =
        field(ranks.column())
            + " between "
            + literal(ranks, first)
            + " and "
            + (to == null ? literal(ranks, last) : Quoted.literal(to));
    return new BoundCondition(text, byRank(ranks, first, last));
  }

  private static BoundCondition from(RankedColumn ranks, String value) {
    int first = ranks.rank(value);
    return new BoundCondition(
        field(ranks.column()) + " >= " + literal(ranks, first), byRank(ranks, first, ranks.last()));
  }

  private static BoundCondition upTo(RankedColumn ranks, String value) {
    int last = ranks.rank(value);
    return new BoundCondition(
        field(ranks.column()) + " <= " + literal(ranks, last), byRank(ranks, 0, last));
  }

  private static IntPredicate byRank(RankedColumn ranks, int first, int last) {
    int[] codes = ranks.column().codes();
    return record -> {
      int rank = ranks.rankOfCode(codes[record]);
      return rank >= first && rank <= last;
    };
  }

  /** Tests each value once, not each record. */
  private static IntPredicate byValue(Column column, Predicate<String> fits) {
    boolean[] allowed = new boolean[column.values().size()];
    for (int code = 0; code < allowed.length; code++) {
      allowed[code] = fits.test(column.values().get(code));
    }
    return byValue(column, allowed);
  }

  private static IntPredicate byValue(Column column, boolean[] allowed) {
    int[] codes = column.codes();
    return record -> allowed[codes[record]];
  }

  private static String startsWithText(Column column, String start) {
    return field(column) + " starts with " + Quoted.literal(start);
  }

  private static String field(Column column) {
    return Quoted.name(column.name());
  }

  private static String literal(RankedColumn ranks, int rank) {
    return Quoted.literal(ranks.atRank(rank));
  }

  private static String firstHalf(String text) {
    return text.substring(0, (text.length() + 1) / 2);
  }

  /** The last two labels, such as {@code example.com} of {@code www.example.com}. */
  private static String registeredDomain(String host) {
    int last = host.lastIndexOf('.');
    int before = last < 0 ? -1 : host.lastIndexOf('.', last - 1);
    return host.substring(before + 1);
  }

  private static String reversedLabels(String domain) {
    List<String> labels = new ArrayList<>(List.of(domain.split("\\.", -1)));
    Collections.reverse(labels);
    return String.join(".", labels);
  }
}
