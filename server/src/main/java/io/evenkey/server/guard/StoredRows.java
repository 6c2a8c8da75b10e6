/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.layout.Layout;
import io.evenkey.layout.RowReader;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.layout.text.RowException;
import org.jspecify.annotations.Nullable;

/**
 * Compares rows of clients that name no layout with the layout of the table: the prefix of a row
 * follows from its key, so a row is right or wrong by its bytes. For one thread.
 */
final class StoredRows {
  private static final int SHOWN = 64;

  private final Layout layout;
  private final RowReader reader;

  StoredRows(Layout layout) {
    this.layout = layout;
    this.reader = layout.reader();
  }

  /** Why a row is none of the layout, and what it would be as a logical key; null if it is one. */
  @Nullable String problem(byte[] row) {
    try {
      reader.check(row);
      return null;
    } catch (RowException e) {
      return "cause=" + e.getMessage() + asLogicalKey(row);
    }
  }

  private String asLogicalKey(byte[] row) {
    try {
      layout.decodeLogical(row);
      return layout.spread().isRandom()
          ? " (it is a logical key)"
          : " (as a logical key, it is stored as " + shown(layout.physical(row)) + ")";
    } catch (LayoutException e) {
      return "";
    }
  }

  static String shown(byte[] row) {
    return ByteText.printable(row, 0, Math.min(row.length, SHOWN))
        + (row.length > SHOWN ? "…" : "");
  }
}
