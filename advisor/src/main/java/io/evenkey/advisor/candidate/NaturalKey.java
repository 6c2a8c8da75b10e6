/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.candidate;

import io.evenkey.advisor.sample.Column;
import io.evenkey.advisor.sample.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The key that people would give to records of which no query is known: the time, then what
 * identifies a record, and a running number only where these leave records with the same key.
 * Stateless.
 */
public final class NaturalKey {
  private static final int MOST_IDENTIFIERS = 2;
  private static final int LONG_TEXT = 64;
  private static final Pattern DECIMAL = Pattern.compile("-?[0-9]+\\.[0-9]+");
  private static final Pattern IDENTIFIER =
      Pattern.compile(
          "(?i).*(id|key|no|nr|num|number|code|name|user|customer|client|account|sender|receiver"
              + "|device|sensor|host|node|server|metric|symbol|domain|url|uri|ip|mmsi|sku|uuid)");

  private NaturalKey() {}

  /** Its columns; at least one, of a sample that has any. */
  public static List<Column> of(Sample sample) {
    List<Column> known = sample.columns();
    List<Column> key = new ArrayList<>();
    known.stream().filter(NaturalKey::isMoment).findFirst().ifPresent(key::add);
    Uniqueness uniqueness = new Uniqueness(sample);
    List<Column> possible = known.stream().filter(NaturalKey::mayIdentify).toList();
    Optional<Column> running = known.stream().filter(Column::isRunningNumber).findFirst();
    for (int i = 0; i < MOST_IDENTIFIERS && !isUnique(key, uniqueness); i++) {
      // One is enough before a running number, which parts all records.
      Optional<Column> next =
          i > 0 && running.isPresent() ? running : best(key, possible, uniqueness);
      int before = key.isEmpty() ? Integer.MAX_VALUE : uniqueness.collisions(key);
      next.filter(column -> uniqueness.collisions(with(key, column)) < before).ifPresent(key::add);
    }
    if (key.isEmpty()) {
      key.add(running.orElse(known.get(0)));
    }
    return List.copyOf(key);
  }

  private static boolean isUnique(List<Column> key, Uniqueness uniqueness) {
    return !key.isEmpty() && uniqueness.collisions(key) == 0;
  }

  /** The column that parts most of the records with the same key; one called so before others. */
  private static Optional<Column> best(
      List<Column> key, List<Column> possible, Uniqueness uniqueness) {
    return possible.stream()
        .filter(column -> !key.contains(column))
        .min(
            Comparator.<Column, Boolean>comparing(
                    column -> !IDENTIFIER.matcher(column.name()).matches())
                .thenComparingInt(column -> uniqueness.collisions(with(key, column))));
  }

  private static List<Column> with(List<Column> key, Column column) {
    List<Column> longer = new ArrayList<>(key);
    longer.add(column);
    return longer;
  }

  private static boolean isMoment(Column column) {
    return column.isTime() || column.type().equals("date");
  }

  private static boolean mayIdentify(Column column) {
    return !isMoment(column)
        && !column.isUnsortedTime()
        && !column.isRunningNumber()
        && column.values().size() > 1
        && column.values().stream().allMatch(value -> value.length() <= LONG_TEXT)
        && !column.values().stream()
            .filter(value -> !value.isEmpty())
            .allMatch(value -> DECIMAL.matcher(value).matches());
  }
}
