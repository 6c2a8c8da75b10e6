/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import io.evenkey.client.select.Selection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * A condition on rows of an {@link IndexedTable}, as text and as Java has it.
 *
 * @param byField the condition on each field
 */
record Wanted(Map<String, String> byField, Predicate<Order> test) {
  /**
   * A condition at random.
   *
   * @param ids how many there are
   */
  static Wanted random(SplittableRandom random, int ids) {
    Map<String, String> byField = new LinkedHashMap<>();
    Predicate<Order> test = order -> true;
    String[] fields = {"seller", "id", "customer", "state"};
    for (String field : fields) {
      if (random.nextInt(5) > 1) {
        continue;
      }
      String from = value(field, random.nextInt(10), ids);
      String to = value(field, random.nextInt(10), ids);
      Predicate<Order> one;
      switch (random.nextInt(5)) {
        case 0 -> {
          byField.put(field, field + " >= " + from);
          one = order -> compare(order, field, from) >= 0;
        }
        case 1 -> {
          byField.put(field, field + " between " + from + " and " + to);
          one = order -> compare(order, field, from) >= 0 && compare(order, field, to) <= 0;
        }
        case 2 -> {
          byField.put(field, field + " in (" + from + ", " + to + ")");
          one = order -> compare(order, field, from) == 0 || compare(order, field, to) == 0;
        }
        default -> {
          byField.put(field, field + " = " + from);
          one = order -> compare(order, field, from) == 0;
        }
      }
      test = test.and(order -> order.value(field) != null).and(one);
    }
    return new Wanted(byField, test);
  }

  private static String value(String field, int at, int ids) {
    return switch (field) {
      case "seller" -> "s" + at % 4;
      case "id" -> "" + at * ids / 10;
      case "customer" -> "c" + at;
      default -> "t" + at % 3;
    };
  }

  private static int compare(Order order, String field, String value) {
    return field.equals("id")
        ? Long.compare(order.id(), Long.parseLong(value))
        : String.valueOf(order.value(field)).compareTo(value);
  }

  Set<String> fields() {
    return byField.keySet();
  }

  boolean isOfTable() {
    return Set.of("seller", "id").containsAll(fields());
  }

  Selection of(Selection all) {
    return byField.isEmpty() ? all : all.where(toString());
  }

  @Override
  public String toString() {
    return String.join(" and ", byField.values());
  }
}
