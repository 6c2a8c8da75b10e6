package io.evenkey.app.heat.history;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import org.jspecify.annotations.Nullable;

/** What people read instead of a physical key, or of the beginning of one. Stateless. */
public final class KeyLabel {
  private KeyLabel() {}

  /** Its fields by the table's layout; its bytes where the table has none. */
  public static String of(@Nullable Layout layout, byte[] key) {
    return layout == null ? ByteText.printable(key) : layout.label(key);
  }
}
