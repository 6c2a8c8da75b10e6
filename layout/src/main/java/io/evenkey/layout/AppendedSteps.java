/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.key.RowException;
import io.evenkey.layout.scatter.Scatter;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.layout.text.Quoted;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The steps that one layout has after those of another one, which is like it in all else. Rows
 * before the first of these steps are stored alike under both layouts, so a table in which there
 * are no others can change from one to the other without a row being rewritten. Immutable.
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
   * The steps that {@code after} has and {@code before} has not; empty if they differ otherwise.
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
   * Reads the steps between two lines that have been checked.
   *
   * @throws IllegalArgumentException if they differ otherwise
   */
  public static AppendedSteps parse(String before, String after) {
    return of(Layout.parse(before), Layout.parse(after))
        .orElseThrow(
            () -> new IllegalArgumentException("not a step: before=" + before + " after=" + after));
  }

  /**
   * The steps that one of two layouts adds to the other: while a step is taken, either may be the
   * table's.
   */
  public static Optional<AppendedSteps> between(Layout one, Layout other) {
    return of(one, other).or(() -> of(other, one));
  }

  /** The layout without these steps. */
  public Layout before() {
    return before;
  }

  /** The layout with them. */
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

  /** The first of these steps in words. */
  public String described() {
    return after.steps().described(first);
  }

  /** The condition that all rows at or after the first of these steps fulfil, and no others. */
  public Where condition() {
    return after.where(Quoted.name(field().name()) + " >= " + from());
  }

  /**
   * The ranges of stored rows in which rows at or after the first of these steps are by either
   * layout, each once.
   */
  public Set<KeyRange> ranges() {
    Set<KeyRange> ranges = new LinkedHashSet<>();
    for (Layout layout : List.of(before, after)) {
      ranges.addAll(Scatter.of(layout.spread(), condition()).ranges());
    }
    return ranges;
  }

  /**
   * Whether a stored row is at or after the first of these steps. A row that is none of these
   * layouts is not. Its bucket is not looked at, which is one or another by the two layouts.
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
