/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.candidate;

import io.evenkey.advisor.query.Query;
import io.evenkey.advisor.query.QueryCondition;
import io.evenkey.advisor.query.Workload;
import io.evenkey.advisor.sample.Column;
import io.evenkey.advisor.sample.Sample;
import io.evenkey.layout.Layout;
import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.text.LayoutException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes the layouts that could serve some queries: for each query the key that it would want, with
 * its fixed columns in front, in every order, then the column of its range, newest first where it
 * asks for that; made unique by the columns that do it with the fewest bytes; and each spread in
 * every way that makes sense for such a key. Not thread-safe.
 */
public final class Candidates {
  private static final int MOST_FIXED = 3;
  private static final int USUAL_BUCKETS = 16;

  /** A text longer than this is not proposed as a part of a key. */
  private static final int LONG_TEXT = 64;

  private final Sample sample;
  private final Workload workload;
  private final Uniqueness uniqueness;
  private final @Nullable Column time;
  private final SlicedSalts slicedSalts;

  private Candidates(Sample sample, Workload workload) {
    this.sample = sample;
    this.workload = workload;
    this.uniqueness = new Uniqueness(sample);
    this.time = sample.columns().stream().filter(Column::isTime).findFirst().orElse(null);
    this.slicedSalts =
        SlicedSalts.of(
            time != null && time.isTimestamp() ? time : null, sample.every(), workload.servers());
  }

  /** All of them, no two the same. */
  public static Collection<Candidate> of(Sample sample, Workload workload) {
    Candidates all = new Candidates(sample, workload);
    Map<String, Candidate> byLine = new LinkedHashMap<>();
    for (KeyOrder key : all.keys()) {
      all.spread(key).forEach(made -> byLine.putIfAbsent(made.layout().toString(), made));
    }
    return byLine.values();
  }

  private Set<KeyOrder> keys() {
    Set<KeyOrder> keys = new LinkedHashSet<>();
    for (Query query : workload.queries()) {
      for (List<Column> fixed : orders(query)) {
        keys.addAll(keys(query, fixed));
      }
    }
    if (time != null) {
      keys.add(new KeyOrder(List.of(new KeyOrder.Part(time, false))));
    }
    if (keys.isEmpty()) {
      keys.add(
          new KeyOrder(
              NaturalKey.of(sample).stream()
                  .map(column -> new KeyOrder.Part(column, false))
                  .toList()));
    }
    return keys;
  }

  private List<KeyOrder> keys(Query query, List<Column> fixed) {
    boolean newest = query.order() == Query.Order.NEWEST_FIRST;
    List<Column> behind = new ArrayList<>();
    query.ranged().stream()
        .map(sample::column)
        .filter(column -> !column.isUnsortedTime())
        .forEach(behind::add);
    if (query.order() != Query.Order.ANY
        && time != null
        && behind.stream().noneMatch(Column::isTime)) {
      behind.add(time);
    }
    List<KeyOrder> keys = new ArrayList<>();
    for (boolean descending : newest ? new boolean[] {true, false} : new boolean[] {false}) {
      List<KeyOrder.Part> parts = new ArrayList<>();
      fixed.forEach(column -> parts.add(new KeyOrder.Part(column, false)));
      for (Column column : behind) {
        if (!fixed.contains(column)) {
          parts.add(new KeyOrder.Part(column, descending && column.isTime()));
        }
      }
      if (!parts.isEmpty()) {
        keys.add(new KeyOrder(parts));
      }
    }
    return keys;
  }

  /** The columns that a query fixes, in every order if they are few. */
  private List<List<Column>> orders(Query query) {
    List<Column> fixed =
        query.conditions().stream()
            .filter(condition -> condition.operator().fixes())
            .map(QueryCondition::column)
            .distinct()
            .map(sample::column)
            .filter(column -> !column.isUnsortedTime())
            .toList();
    List<List<Column>> orders = new ArrayList<>();
    permute(new ArrayList<>(), fixed, fixed.size() > MOST_FIXED, orders);
    return orders;
  }

  private static void permute(
      List<Column> chosen, List<Column> all, boolean oneOnly, List<List<Column>> orders) {
    if (chosen.size() == all.size()) {
      orders.add(List.copyOf(chosen));
      return;
    }
    for (Column column : all) {
      if (!chosen.contains(column) && (!oneOnly || orders.isEmpty())) {
        chosen.add(column);
        permute(chosen, all, oneOnly, orders);
        chosen.remove(chosen.size() - 1);
      }
    }
  }

  private List<Candidate> spread(KeyOrder wanted) {
    List<String> notes = new ArrayList<>();
    KeyOrder key = unique(wanted, notes);
    List<String> lines = new ArrayList<>();
    lines.add(key.toString());
    for (int buckets : bucketCounts()) {
      lines.add("salt(" + buckets + ") + " + key);
      affine(wanted, key, buckets, lines);
      if (pointReads(key) == 0) {
        lines.add("salt(" + buckets + ", random) + " + key);
      }
    }
    Column first = key.parts().get(0).column();
    datesInText(key, lines);
    if (workload.queries().stream().anyMatch(query -> query.limit() > 0)) {
      lines.addAll(slicedSalts.before(key));
    }
    if (isFixed(first)) {
      lines.add("md5(" + Quoted.name(first.name()) + ")[0..4] + " + key);
      if (first.type().equals("int64") || first.type().startsWith("digits(")) {
        lines.add(
            "reverse("
                + key.parts().get(0)
                + ")"
                + key.parts().stream()
                    .skip(1)
                    .map(part -> " + " + part)
                    .collect(Collectors.joining()));
      }
    }
    List<Candidate> made = new ArrayList<>();
    for (String line : lines) {
      try {
        made.add(new Candidate(Layout.parse(line), notes));
      } catch (LayoutException e) {
        // A combination that the language does not have, such as a reversed part of no fixed width.
      }
    }
    return made;
  }

  // As people write it: two digits of a bucket, the time in digits. Only where no time is finer.
  private void datesInText(KeyOrder key, List<String> lines) {
    KeyOrder.Part first = key.parts().get(0);
    Column column = first.column();
    if (!column.isTimestamp()
        || first.descending()
        || !column.values().stream().allMatch(Candidates::isSecond)) {
      return;
    }
    String rest =
        key.parts().stream().skip(1).map(part -> " + " + part).collect(Collectors.joining());
    for (int buckets : bucketCounts()) {
      if (buckets <= 100) {
        lines.add(
            "salt("
                + buckets
                + "; as=digits(2), sep=\"_\") + "
                + Quoted.name(column.name())
                + ":timestamp(\"yyyyMMddHHmmss\")"
                + rest);
      }
    }
  }

  private static boolean isSecond(String time) {
    return time.matches("[0-9]+") ? time.endsWith("000") : !time.contains(".");
  }

  private void affine(KeyOrder wanted, KeyOrder key, int buckets, List<String> lines) {
    List<String> names = new ArrayList<>();
    for (KeyOrder.Part part : wanted.parts()) {
      if (!isFixed(part.column())) {
        break;
      }
      names.add(Quoted.name(part.column().name()));
      String fields = String.join(", ", names);
      lines.add("salt(" + buckets + ", " + fields + ") + " + key);
      double share = part.column().largestShare();
      // Of an entity too big for its bucket, no more in one than in the others.
      int over = Math.min(buckets - 1, (int) Math.ceil(2 * share * buckets));
      if (names.size() == 1 && share * buckets > 1 && over > 1) {
        lines.add("salt(" + buckets + ", " + fields + "; over=" + over + ") + " + key);
      }
    }
  }

  private boolean isFixed(Column column) {
    return workload.queries().stream().anyMatch(query -> query.fixed().contains(column.name()));
  }

  /** The number of queries that read single rows of a key. */
  private long pointReads(KeyOrder key) {
    List<String> names = key.columns().stream().map(Column::name).toList();
    return workload.queries().stream().filter(query -> query.fixed().containsAll(names)).count();
  }

  /** One and two for each server, and the multiple of the servers from 16 on. */
  private Set<Integer> bucketCounts() {
    int servers = workload.servers();
    Set<Integer> counts = new LinkedHashSet<>();
    counts.add(Math.max(2, servers));
    counts.add(2 * Math.max(2, servers));
    counts.add((USUAL_BUCKETS + servers - 1) / servers * servers);
    counts.removeIf(count -> count > 256);
    return counts.isEmpty() ? Set.of(256) : counts;
  }

  // One column after the other: the one that leaves the fewest records with the key of another, of
  // those the one with the shortest values. Where no columns of a length fit for a key tell all
  // records apart, their number does.
  private KeyOrder unique(KeyOrder wanted, List<String> notes) {
    int colliding = uniqueness.collisions(wanted.columns());
    if (colliding == 0) {
      return wanted;
    }
    KeyOrder key = wanted;
    for (Column best = helping(key); best != null; best = helping(key)) {
      key = key.with(best, false);
    }
    String by =
        key.columns().stream()
            .filter(column -> !wanted.has(column))
            .map(Column::name)
            .collect(Collectors.joining(", "));
    if (uniqueness.collisions(key.columns()) > 0) {
      key = wanted.with(sample.column(Sample.RECORD_NUMBER), false);
      by = "a running number of the record, which the data would have to get";
    }
    notes.add(
        String.format(
            Locale.ROOT,
            "%,d of %,d records would have the key of another, and be lost: distinguished by %s",
            colliding,
            sample.size(),
            by));
    return key;
  }

  /** The column that parts the most colliding records; null if none parts any. */
  private @Nullable Column helping(KeyOrder key) {
    int colliding = uniqueness.collisions(key.columns());
    return sample.columns().stream()
        .filter(column -> !key.has(column) && !column.name().equals(Sample.RECORD_NUMBER))
        .filter(column -> length(column) <= LONG_TEXT)
        .filter(column -> uniqueness.collisions(key.with(column, false).columns()) < colliding)
        .min(
            Comparator.comparing(Column::isUnsortedTime)
                .thenComparingInt(
                    column -> uniqueness.collisions(key.with(column, false).columns()))
                .thenComparingDouble(Candidates::length))
        .orElse(null);
  }

  private static double length(Column column) {
    return column.values().stream().mapToInt(String::length).average().orElse(0);
  }
}
