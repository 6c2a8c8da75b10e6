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
 * What a read of a table, or through one of its indexes, would cost: the figures by which the
 * client chooses. Immutable and thread-safe.
 *
 * <p><b>The cost</b> follows from the shape of the condition, because the client has no statistics.
 * A fixed field counts more than a bounded one, and a bounded one more than a field whose limit
 * only drops rows. Each field in the condition passes a share of the keys:
 *
 * <table>
 *   <caption>Shares</caption>
 *   <tr><td>{@code =}, {@code in} of n values</td><td>n / 100, at most 1</td></tr>
 *   <tr><td>{@code between}, {@code starts with}, or limits at both ends</td><td>1 / 20</td></tr>
 *   <tr><td>{@code <}, {@code >=} and so on</td><td>1 / 3</td></tr>
 *   <tr><td>{@code !=}</td><td>1</td></tr>
 * </table>
 *
 * <p>Let {@code read} be the product of the shares of the leading fields, which make the ranges,
 * and {@code kept} the product of all shares. A table costs {@code read}. An index costs {@code
 * read + 10 × kept}, because the row of each kept entry is read by its key: a whole index costs 11
 * times a whole table, and 9 to 17 times was measured. An append-only index that covers the
 * requested columns costs {@code read}, like a table; rows of entries that are not settled yet do
 * not count. A limit scales all candidates alike, so it does not count either.
 *
 * @param narrowing the limits that the condition sets to the fields of the key
 * @param tested the conditions that are tested on each key after it was read
 * @param ranges the number of physical ranges that are opened
 * @param ordered whether the layout stores the rows in an order that can be merged
 * @param rowReads whether the row of each entry is also read
 * @param cost the cost, where a read of the whole table costs 1
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
   * Returns the figures of a read by the keys of a layout. Sends no request.
   *
   * @param where the condition on the layout's fields; null for all rows
   * @param rowReads whether the row of each key is also read, as for an index that does not cover
   *     the requested columns
   * @throws io.evenkey.layout.field.ValueException if a key cannot hold a value of the condition
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
   * Compares by order first, then by cost, then by the number of ranges: reads that have an order
   * come first.
   */
  @Override
  public int compareTo(ReadFigures other) {
    return ORDER.compare(this, other);
  }
}
