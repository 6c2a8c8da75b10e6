/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor;

import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.Numbers;
import io.evenkey.layout.text.LayoutException;
import java.time.LocalDate;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The steps by which the salt of a layout keeps up with a growth of the writes: when they have
 * doubled, rows from a month on get twice as many buckets, and no row is rewritten. Immutable.
 *
 * @param layout the layout with all steps
 * @param complete whether the salt has room for all steps; its width limits its buckets
 */
public record GrowthPlan(Layout layout, boolean complete) {
  /** The years for which steps are planned. */
  public static final int YEARS = 3;

  private static final int MONTHS = 12;

  /**
   * Plans the steps.
   *
   * @param now the layout without them
   * @param growth by what the writes are multiplied in a year
   * @param today the day of the plan; a step begins with a month after it
   * @return empty if the layout has no salt that can have steps, or no time for them
   */
  public static Optional<GrowthPlan> of(Layout now, double growth, LocalDate today) {
    OptionalInt first = now.buckets();
    Optional<Field> time = now.fields().stream().filter(GrowthPlan::isTime).findFirst();
    if (first.isEmpty() || time.isEmpty() || !now.steps().isNone() || !now.canHaveSteps()) {
      return Optional.empty();
    }
    Layout planned = now;
    long buckets = first.getAsInt();
    for (int month = 1; month <= YEARS * MONTHS; month++) {
      // Enough for the end of the month.
      double times = Math.pow(growth, (month + 1.0) / MONTHS);
      long wanted = first.getAsInt();
      while (2.0 * wanted <= first.getAsInt() * times) {
        wanted *= 2;
      }
      if (wanted > buckets) {
        try {
          planned =
              planned
                  .withStep(Math.toIntExact(wanted), time.get().name(), from(today, month))
                  .orElseThrow();
        } catch (LayoutException | ArithmeticException e) {
          return Optional.of(new GrowthPlan(planned, false));
        }
        buckets = wanted;
      }
    }
    return Optional.of(new GrowthPlan(planned, true));
  }

  private static boolean isTime(Field field) {
    Numbers numbers = field.type().numbers();
    return numbers != null && numbers.unit() != Numbers.Unit.ONE;
  }

  private static String from(LocalDate today, int month) {
    return today.withDayOfMonth(1).plusMonths(month).toString();
  }
}
