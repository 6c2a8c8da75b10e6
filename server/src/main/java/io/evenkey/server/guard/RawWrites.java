/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a table treats writes that name no layout: {@value TableText#RAW_WRITES}. */
enum RawWrites {
  /** Rejects them. */
  REFUSE,
  /** Takes those whose rows are rows of the table's layout; the default. */
  CHECKED,
  /** Takes all. */
  ALLOW;

  /** The policy of a table's descriptor. One that is misspelt refuses. */
  static RawWrites of(@Nullable String value) {
    if (value == null) {
      return CHECKED;
    }
    return switch (value.trim().toLowerCase(Locale.ROOT)) {
      case "allow" -> ALLOW;
      case "checked" -> CHECKED;
      default -> REFUSE;
    };
  }
}
