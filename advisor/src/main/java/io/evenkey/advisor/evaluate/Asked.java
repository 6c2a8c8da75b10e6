package io.evenkey.advisor.evaluate;

import io.evenkey.advisor.query.Condition;
import io.evenkey.advisor.query.Query;
import io.evenkey.advisor.sample.Column;
import io.evenkey.advisor.sample.Sample;
import io.evenkey.layout.text.Quoted;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Instances of a query: what is asked with values of the data in place of every {@code ?}, those of
 * records picked at random, so that what is frequent is asked for often. A range takes a hundredth
 * of the records. Immutable.
 *
 * @param query the query
 * @param instances the query with values of the sample
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
    Map<String, RankedColumn> ranked = new HashMap<>();
    List<Instance> instances = new ArrayList<>();
    int count = query.conditions().isEmpty() ? 1 : INSTANCES;
    for (int i = 0; i < count && sample.size() > 0; i++) {
      instances.add(instance(query, sample, random, ranked));
    }
    return new Asked(query, instances);
  }

  private static Instance instance(
      Query query, Sample sample, SplittableRandom random, Map<String, RankedColumn> ranked) {
    int record = random.nextInt(sample.size());
    Map<String, String> texts = new HashMap<>();
    List<Matcher> matchers = new ArrayList<>();
    for (Condition condition : query.conditions()) {
      Column column = sample.column(condition.column());
      RankedColumn ranks = ranked.computeIfAbsent(column.name(), name -> new RankedColumn(column));
      Matcher matcher = Matcher.of(condition, ranks, record, random);
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

  /** A condition on one column, with its values: by the rank of a value, or by each value. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Matcher(
      RankedColumn ranks, int low, int high, boolean @Nullable [] allowed, String text) {
    boolean matches(int record) {
      int code = ranks.column().codes()[record];
      boolean[] each = allowed;
      if (each != null) {
        return each[code];
      }
      int rank = ranks.rankOfCode(code);
      return rank >= low && rank <= high;
    }

    static Matcher of(
        Condition condition, RankedColumn ranks, int record, SplittableRandom random) {
      Column column = ranks.column();
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
      String given = condition.values().get(0);
      return switch (condition.operator()) {
        case EQUAL, IN -> {
          boolean[] allowed = new boolean[column.values().size()];
          for (String value : values) {
            int code = ranks.code(value);
            if (code >= 0) {
              allowed[code] = true;
            }
          }
          yield new Matcher(ranks, 0, 0, allowed, field + " in (" + list(values) + ")");
        }
        case STARTS_WITH -> {
          String text = values.get(0);
          String start = given != null ? given : text.substring(0, (text.length() + 1) / 2);
          yield new Matcher(
              ranks,
              0,
              0,
              matching(column, value -> value.startsWith(start)),
              column.isDomain() ? "" : field + " starts with " + literal(start));
        }
        case UNDER -> {
          String domain = given != null ? given : registered(values.get(0));
          yield new Matcher(
              ranks,
              0,
              0,
              matching(column, host -> host.equals(domain) || host.endsWith("." + domain)),
              column.isDomain() ? field + " starts with " + literal(turned(domain)) : "");
        }
        default -> range(condition, ranks, values, field);
      };
    }

    private static Matcher range(
        Condition condition, RankedColumn ranks, List<String> values, String field) {
      int first = ranks.rank(values.get(0));
      String from = literal(ranks.atRank(first));
      return switch (condition.operator()) {
        case BETWEEN -> {
          boolean asked = condition.values().get(1) == null;
          int end = asked ? ranks.rankAfter(first, RANGE) : ranks.rank(values.get(1));
          String to = literal(asked ? ranks.atRank(end) : values.get(1));
          yield new Matcher(ranks, first, end, null, field + " between " + from + " and " + to);
        }
        case AT_LEAST, MORE -> new Matcher(ranks, first, ranks.last(), null, field + " >= " + from);
        default -> new Matcher(ranks, 0, first, null, field + " <= " + from);
      };
    }

    private static boolean[] matching(Column column, Predicate<String> fits) {
      boolean[] allowed = new boolean[column.values().size()];
      for (int i = 0; i < allowed.length; i++) {
        allowed[i] = fits.test(column.values().get(i));
      }
      return allowed;
    }

    private static String list(List<String> values) {
      return String.join(", ", values.stream().map(Matcher::literal).toList());
    }

    private static String literal(String value) {
      return Quoted.literal(value);
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
