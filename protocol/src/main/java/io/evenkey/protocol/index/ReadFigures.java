/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.scatter.FieldLimit;
import io.evenkey.layout.scatter.Narrowing;
import io.evenkey.layout.scatter.Scatter;
import io.evenkey.layout.scatter.Where;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a read of a table, or through one of its indexes, would cost. Immutable.
 *
 * <p><b>The cost</b> is a rule by the shape of the condition, because there are no statistics: a
 * fixed field counts more than a bounded one, and that more than one whose limit only drops rows.
 * Each field under the condition passes a share of the keys:
 *
 * <table>
 *   <caption>Shares</caption>
 *   <tr><td>{@code =}, {@code in} of n values</td><td>n / 100, at most 1</td></tr>
 *   <tr><td>{@code between}, {@code starts with}, or limits at both ends</td><td>1 / 20</td></tr>
 *   <tr><td>{@code <}, {@code >=} and so on</td><td>1 / 3</td></tr>
 *   <tr><td>{@code !=}</td><td>1</td></tr>
 * </table>
 *
 * <p>With {@code read} as the product of the shares of the leading fields, which are read as
 * ranges, and {@code kept} as that of all fields, a table costs {@code read}, and an index {@code
 * read + 10 × kept}: the row of each entry that is kept is read by its key, so that a whole index
 * costs 11 times as much as the whole table, where 9 to 17 were measured. An append-only index that
 * covers the columns which are read costs {@code read}, as a table: rows of entries that are not
 * settled yet are left out of account. A limit changes all alike, so it is no part of this.
 *
 * @param narrowing the limits that the condition sets to fields of the key
 * @param tested the conditions that are tested on each key that was read
 * @param ranges the number of physical ranges that are opened
 * @param ordered whether the layout has an order to read them in
 * @param rowReads whether the row of each entry is read too
 * @param cost that of all rows of the table is 1
 */
public record ReadFigures(
    Narrowing narrowing,
    List<String> tested,
    int ranges,
    boolean ordered,
    boolean rowReads,
    double cost)
    implements Comparable<ReadFigures> {
  private static final double SHARE_OF_VALUE = 1 / 100.0;
  private static final double SHARE_OF_TWO_ENDS = 1 / 20.0;
  private static final double SHARE_OF_ONE_END = 1 / 3.0;
  private static final double COST_OF_ROW_READ = 10;

  private static final Comparator<ReadFigures> ORDER =
      Comparator.comparing(ReadFigures::ordered)
          .reversed()
          .thenComparingDouble(ReadFigures::cost)
          .thenComparingInt(ReadFigures::ranges);

  /** Copies the list. */
  public ReadFigures {
    tested = List.copyOf(tested);
  }

  /**
   * The figures of a read by the keys of a layout.
   *
   * @param where the condition on its fields, or null for all rows
   * @param rowReads whether the row of each key is read too: of an index that does not cover the
   *     columns which are read
   * @throws io.evenkey.layout.field.ValueException if a value of the condition cannot stand in a
   *     key
   */
  public static ReadFigures of(Layout layout, @Nullable Where where, boolean rowReads) {
    Scatter scatter = where == null ? layout.scatter(KeyRange.all()) : layout.scatter(where);
    Narrowing narrowing = where == null ? Narrowing.NONE : where.narrowing();
    if (scatter.ranges().equals(List.of(KeyRange.all()))) {
      narrowing = narrowing.withoutRanges();
    }
    double read = scatter.ranges().isEmpty() ? 0 : share(narrowing.leading());
    double kept = read * share(narrowing.rest());
    return new ReadFigures(
        narrowing,
        where == null ? List.of() : where.residual(scatter.exact()),
        scatter.fanOut(),
        scatter.ordered(),
        rowReads,
        rowReads ? read + COST_OF_ROW_READ * kept : read);
  }

  private static double share(List<FieldLimit> limits) {
    return limits.stream().mapToDouble(ReadFigures::share).reduce(1, (a, b) -> a * b);
  }

  private static double share(FieldLimit limit) {
    if (limit.values() > 0) {
      return Math.min(1, limit.values() * SHARE_OF_VALUE);
    }
    return switch (limit.ends()) {
      case 2 -> SHARE_OF_TWO_ENDS;
      case 1 -> SHARE_OF_ONE_END;
      default -> 1;
    };
  }

  /**
   * Reads with an order come first, then those that cost less, then those that open fewer ranges.
   */
  @Override
  public int compareTo(ReadFigures other) {
    return ORDER.compare(this, other);
  }
}
