/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.step;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.scatter.Scatter;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.layout.text.RowException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The difference between two layouts of which one only appends steps to the salt of the other. Rows
 * before the first appended step are stored alike under both, so a table without later rows can
 * change its layout without rewriting a row.
 *
 * <pre>{@code
 * Optional<AppendedSteps> steps = AppendedSteps.of(layout, next);
 * steps.ifPresent(added -> System.out.println("no row may match " + added.condition()));
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 */
public final class AppendedSteps {
  private final Layout before;
  private final Layout after;
  private final int first;

  private AppendedSteps(Layout before, Layout after) {
    this.before = before;
    this.after = after;
    this.first = before.steps().count();
  }

  /**
   * Returns the steps that {@code after} appends to {@code before}; empty if the layouts differ in
   * anything else.
   */
  public static Optional<AppendedSteps> of(Layout before, Layout after) {
    Prefix shorter = before.spread().prefix();
    Prefix longer = after.spread().prefix();
    boolean appended =
        shorter != null
            && longer != null
            && longer.appendsStepsTo(shorter)
            && before.key().form() == after.key().form()
            && before.key().toString().equals(after.key().toString());
    return appended ? Optional.of(new AppendedSteps(before, after)) : Optional.empty();
  }

  /**
   * Returns the steps that one line appends to another, for lines that were checked before.
   *
   * @throws IllegalArgumentException if the layouts differ in anything else
   */
  public static AppendedSteps parse(String before, String after) {
    return of(Layout.parse(before), Layout.parse(after))
        .orElseThrow(
            () -> new IllegalArgumentException("not a step: before=" + before + " after=" + after));
  }

  /**
   * Returns the steps that one of two layouts appends to the other, in either direction: while a
   * step is being taken, either may be the table's.
   */
  public static Optional<AppendedSteps> between(Layout one, Layout other) {
    return of(one, other).or(() -> of(other, one));
  }

  /** The layout without these steps. */
  public Layout before() {
    return before;
  }

  /** The layout with these steps. */
  public Layout after() {
    return after;
  }

  /** The field of the steps. */
  public Field field() {
    return after.fields().get(after.steps().field());
  }

  /** The first value of the first of these steps, as a layout line spells it. */
  public String from() {
    return Objects.requireNonNull(after.steps().list().get(first).from());
  }

  /** The first of these steps for people, such as {@code 48 buckets from ts 2027-01-01}. */
  public String described() {
    return after.steps().described(first);
  }

  /** The condition that exactly the rows at or after the first of these steps meet. */
  public Where condition() {
    return after.where(Quoted.name(field().name()) + " >= " + from());
  }

  /**
   * The physical ranges, each once, in which either layout stores rows at or after the first of
   * these steps.
   */
  public Set<KeyRange> ranges() {
    Set<KeyRange> ranges = new LinkedHashSet<>();
    for (Layout layout : List.of(before, after)) {
      ranges.addAll(Scatter.of(layout.spread(), condition()).ranges());
    }
    return ranges;
  }

  /**
   * Whether a physical row is at or after the first of these steps. It ignores the bucket, in which
   * the two layouts differ. A row of neither layout is not covered.
   */
  public boolean covers(byte[] row) {
    try {
      return after.step(after.spread().logicalInAnyBucket(row)) >= first;
    } catch (RowException e) {
      return false;
    }
  }

  @Override
  public String toString() {
    return described();
  }
}
