/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.layout.Layout;
import io.evenkey.layout.step.AppendedSteps;
import io.evenkey.protocol.guard.Stamp;
import io.evenkey.protocol.index.TableIndexes;
import org.jspecify.annotations.Nullable;

/**
 * The step that is taken in a table: which rows may not be written until then, and the other layout
 * of the two. Immutable; the decisions allocate only what is needed to find a row's step.
 */
final class HeldStep {
  private final AppendedSteps steps;
  private final String before;
  private final byte[] otherStamp;

  private HeldStep(AppendedSteps steps, String before, byte[] otherStamp) {
    this.steps = steps;
    this.before = before;
    this.otherStamp = otherStamp;
  }

  /**
   * Null if the table's two lines are not of layouts of which one has the steps of the other and
   * more.
   */
  static @Nullable HeldStep of(TableText text) {
    String layout = text.layout();
    String other = text.step();
    if (layout == null || other == null) {
      return null;
    }
    try {
      Layout named = Layout.parse(other);
      AppendedSteps steps = AppendedSteps.between(Layout.parse(layout), named).orElse(null);
      return steps == null
          ? null
          : new HeldStep(
              steps,
              steps.before().equals(named) ? other : layout,
              Stamp.of(named, TableIndexes.parse(text.indexes())));
    } catch (RuntimeException e) {
      // Written by a later version.
      return null;
    }
  }

  /** Whether a row is at or after the step. */
  boolean covers(byte[] row) {
    return steps.covers(row);
  }

  /** The line of the layout without the step. */
  String before() {
    return before;
  }

  /** The stamp of the layout that is not the table's own now. */
  byte[] otherStamp() {
    return otherStamp;
  }
}
