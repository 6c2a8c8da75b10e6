/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.hotkeys;

import io.evenkey.layout.Layout;
import io.evenkey.layout.key.Key;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Takes the leading field out of physical rows, such as the device of {@code device, time}: an
 * entity may be hot of which no single row is. Immutable.
 */
final class LeadingField {
  private final Layout layout;
  private final Key key;
  private final int steps;

  private LeadingField(Layout layout) {
    this.layout = layout;
    this.key = layout.key();
    this.steps = key.elementOf(0) + 1;
  }

  /** Null if there is no layout, one that this version does not understand, or of one field. */
  static @Nullable LeadingField of(@Nullable String line) {
    if (line == null) {
      return null;
    }
    try {
      Layout layout = Layout.parse(line);
      return layout.fields().size() > 1 ? new LeadingField(layout) : null;
    } catch (RuntimeException e) {
      // Written by a later version.
      return null;
    }
  }

  /** The leading field's logical bytes; null if the row is not of the layout. */
  byte @Nullable [] of(byte[] row) {
    try {
      byte[] logical = layout.logical(row);
      Key.Beginning leading = key.beginning(logical, steps);
      return leading.elements() == steps ? Arrays.copyOf(logical, leading.bytes()) : null;
    } catch (RuntimeException e) {
      return null;
    }
  }
}
