package io.evenkey.advisor.evaluate;

import io.evenkey.advisor.query.Condition;
import io.evenkey.advisor.query.Query;
import io.evenkey.advisor.sample.Column;
import io.evenkey.advisor.sample.Sample;
import io.evenkey.layout.text.Quoted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Instances of a query: what is asked with values of the data in place of every {@code ?}, those of
 * records picked at random, so that what is frequent is asked for often. A range takes a hundredth
 * of the records. Immutable.
 *
 * @param query the query
 * @param instances what is asked
 */
public record Asked(Query query, List<Instance> instances) {
  private static final int INSTANCES = 40;
  private static final double RANGE = 0.01;

  /**
   * One of them.
   *
   * @param conditions by column, in the language of conditions, of a field that is text
   * @param rows how many records fulfil all of them
   */
  public record Instance(Map<String, String> conditions, int rows) {}

  /** Copies the list. */
  public Asked {
    instances = List.copyOf(instances);
  }

  static Asked of(Query query, Sample sample, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, int[]> ranks = new HashMap<>();
    List<Instance> instances = new ArrayList<>();
    int count = query.conditions().isEmpty() ? 1 : INSTANCES;
    for (int i = 0; i < count && sample.size() > 0; i++) {
      instances.add(instance(query, sample, random, ranks));
    }
    return new Asked(query, instances);
  }

  private static Instance instance(
      Query query, Sample sample, SplittableRandom random, Map<String, int[]> ranks) {
    int record = random.nextInt(sample.size());
    Map<String, String> texts = new HashMap<>();
    List<Matcher> matchers = new ArrayList<>();
    for (Condition condition : query.conditions()) {
      Column column = sample.column(condition.column());
      int[] rank = ranks.computeIfAbsent(column.name(), name -> ranks(column));
      Matcher matcher = Matcher.of(condition, column, rank, record, random);
      matchers.add(matcher);
      texts.merge(column.name(), matcher.text(), (a, b) -> a + " and " + b);
    }
    int rows = 0;
    for (int i = 0; i < sample.size(); i++) {
      boolean all = true;
      for (Matcher matcher : matchers) {
        all = all && matcher.matches(i);
      }
      rows += all ? 1 : 0;
    }
    return new Instance(texts, rows);
  }

  /** Of each value of a column, its place among all in order. */
  private static int[] ranks(Column column) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < column.values().size(); i++) {
      order.add(i);
    }
    order.sort(Comparator.comparing(code -> column.values().get(code), order(column)));
    int[] ranks = new int[order.size()];
    for (int place = 0; place < ranks.length; place++) {
      ranks[order.get(place)] = place;
    }
    return ranks;
  }

  private static Comparator<String> order(Column column) {
    boolean number =
        column.type().equals("int64")
            || column.isTime() && column.values().stream().allMatch(v -> v.matches("-?[0-9]+"));
    return number ? Comparator.comparingLong(Long::parseLong) : Comparator.naturalOrder();
  }

  /** A condition on one column, with its values: by the rank of a value, or by each value. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Matcher(
      Column column, int[] ranks, int low, int high, boolean @Nullable [] allowed, String text) {
    boolean matches(int record) {
      int code = column.codes()[record];
      boolean[] each = allowed;
      return each != null ? each[code] : ranks[code] >= low && ranks[code] <= high;
    }

    static Matcher of(
        Condition condition, Column column, int[] ranks, int record, SplittableRandom random) {
      String field = Quoted.name(column.name());
      List<String> values = new ArrayList<>();
      for (String value : condition.values()) {
        values.add(
            value != null
                ? value
                : values.isEmpty()
                    ? column.text(record)
                    : column.text(random.nextInt(column.codes().length)));
      }
      return switch (condition.operator()) {
        case EQUAL, IN -> {
          boolean[] allowed = new boolean[column.values().size()];
          for (String value : values) {
            int code = column.values().indexOf(value);
            if (code >= 0) {
              allowed[code] = true;
            }
          }
          yield new Matcher(column, ranks, 0, 0, allowed, field + " in (" + list(values) + ")");
        }
        case STARTS_WITH -> {
          String start = condition.values().get(0);
          String beginning =
              start != null ? start : values.get(0).substring(0, (values.get(0).length() + 1) / 2);
          yield new Matcher(
              column,
              ranks,
              0,
              0,
              beginning(column, beginning),
              column.isDomain() ? "" : field + " starts with " + Quoted.literal(beginning));
        }
        case UNDER -> {
          String given = condition.values().get(0);
          String domain = given != null ? given : registered(values.get(0));
          yield new Matcher(
              column,
              ranks,
              0,
              0,
              under(column, domain),
              column.isDomain() ? field + " starts with " + Quoted.literal(turned(domain)) : "");
        }
        default -> range(condition, column, ranks, values, field);
      };
    }

    private static Matcher range(
        Condition condition, Column column, int[] ranks, List<String> values, String field) {
      int[] sorted = new int[column.codes().length];
      for (int i = 0; i < sorted.length; i++) {
        sorted[i] = ranks[column.codes()[i]];
      }
      Arrays.sort(sorted);
      List<String> byRank = new ArrayList<>(column.values());
      for (int code = 0; code < ranks.length; code++) {
        byRank.set(ranks[code], column.values().get(code));
      }
      int last = ranks.length - 1;
      int first = rank(column, ranks, values.get(0));
      int at = Arrays.binarySearch(sorted, first);
      int from = Math.max(0, at < 0 ? -at - 1 : at);
      int to = Math.min(sorted.length - 1, from + (int) (RANGE * sorted.length));
      return switch (condition.operator()) {
        case BETWEEN -> {
          boolean asked = condition.values().get(1) == null;
          int end = asked ? sorted[to] : rank(column, ranks, values.get(1));
          yield new Matcher(
              column,
              ranks,
              first,
              end,
              null,
              field
                  + " between "
                  + literal(byRank.get(first))
                  + " and "
                  + literal(asked ? byRank.get(end) : values.get(1)));
        }
        case AT_LEAST, MORE ->
            new Matcher(
                column, ranks, first, last, null, field + " >= " + literal(byRank.get(first)));
        default ->
            new Matcher(column, ranks, 0, first, null, field + " <= " + literal(byRank.get(first)));
      };
    }

    private static int rank(Column column, int[] ranks, String value) {
      int code = column.values().indexOf(value);
      if (code >= 0) {
        return ranks[code];
      }
      Comparator<String> order = order(column);
      int below = 0;
      for (String other : column.values()) {
        below += order.compare(other, value) < 0 ? 1 : 0;
      }
      return Math.min(below, ranks.length - 1);
    }

    private static String list(List<String> values) {
      return String.join(", ", values.stream().map(Matcher::literal).toList());
    }

    private static String literal(String value) {
      return Quoted.literal(value);
    }

    private static boolean[] beginning(Column column, String start) {
      boolean[] allowed = new boolean[column.values().size()];
      for (int i = 0; i < allowed.length; i++) {
        allowed[i] = column.values().get(i).startsWith(start);
      }
      return allowed;
    }

    private static boolean[] under(Column column, String domain) {
      boolean[] allowed = new boolean[column.values().size()];
      for (int i = 0; i < allowed.length; i++) {
        String value = column.values().get(i);
        allowed[i] = value.equals(domain) || value.endsWith("." + domain);
      }
      return allowed;
    }

    /** The last two labels. */
    private static String registered(String host) {
      int last = host.lastIndexOf('.');
      int before = last < 0 ? -1 : host.lastIndexOf('.', last - 1);
      return host.substring(before + 1);
    }

    private static String turned(String domain) {
      List<String> labels = new ArrayList<>(List.of(domain.split("\\.", -1)));
      Collections.reverse(labels);
      return String.join(".", labels);
    }
  }
}
