/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.heat.history;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import org.jspecify.annotations.Nullable;

/** Text for a physical key, or for the beginning of one. Stateless. */
public final class KeyLabel {
  private KeyLabel() {}

  /** The key's fields by the table's layout; its bytes if the table has no layout. */
  public static String of(@Nullable Layout layout, byte[] key) {
    return layout == null ? ByteText.printable(key) : layout.label(key);
  }
}
